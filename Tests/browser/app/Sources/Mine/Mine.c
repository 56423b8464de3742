#include "Mine.h"
