// libyaml (0.2.5: YAML 1.1), as Debian's libyaml-dev installs it.
#pragma once
#include <yaml.h>
