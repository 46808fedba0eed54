#include "cases.h"

#include <DetourCommon.h>

int box_box(const Real *a, const Real *b, Real *) { return dtOverlapBounds(a, a + 3, b, b + 3); }
