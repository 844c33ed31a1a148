#include "commit.h"

#define TEXT_OF(token) #token
#define TEXT(macro) TEXT_OF(macro)

const char *spool_commit(void) {
#ifdef SPOOL_COMMIT
  return TEXT(SPOOL_COMMIT);
#else
  return "";
#endif
}
