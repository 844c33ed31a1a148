-- What is compiled next is found for each tenant in the order of choice, whatever number of exports waits.
DROP INDEX exports_to_compile;
CREATE INDEX exports_to_compile ON exports (tenant_id, priority DESC, number) WHERE state IN ('submitted', 'probing');
