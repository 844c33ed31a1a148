// The commit that the program was built from.
#pragma once

// Its hash, followed by "-dirty" where files differed from it; empty when the build did not say. The build passes it as
// SPOOL_COMMIT (see Package.swift and the Makefile). It is C because Swift takes no values from the command line.
const char *spool_commit(void);
