// All cells of the benchmark, in the order of measurement and output.
import type { Cell } from "./cell.ts";
import { a2a } from "./cells/a2a.ts";
import { burst32, burst4, burstAgUi } from "./cells/burst.ts";
import { bundleSize } from "./cells/bundle-size.ts";
import { growthHistory } from "./cells/growth-history.ts";
import { growthRules } from "./cells/growth-rules.ts";
import { growthSessions } from "./cells/growth-sessions.ts";
import { growthTenants } from "./cells/growth-tenants.ts";
import { hostile } from "./cells/hostile.ts";
import { memory } from "./cells/memory.ts";
import { idleMemory } from "./cells/idle-memory.ts";
import { sessionCreation } from "./cells/session-creation.ts";
import { subscribers } from "./cells/subscribers.ts";
import { padding } from "./cells/padding.ts";
import { toolTurn } from "./cells/tool-turn.ts";
import { fold } from "./cells/fold.ts";
import { longConversation } from "./cells/long-conversation.ts";
import { longHistory } from "./cells/long-history.ts";
import { permissions } from "./cells/permissions.ts";
import { cost } from "./cells/cost.ts";
import { database } from "./cells/database.ts";
import { firstEvent } from "./cells/first-event.ts";
import { fullSpeed1, fullSpeed32 } from "./cells/full-speed.ts";
import { prefix } from "./cells/prefix.ts";
import { replay } from "./cells/replay.ts";
import { rooms } from "./cells/rooms.ts";
import { sockets } from "./cells/sockets.ts";
import { steady32, steady4 } from "./cells/steady.ts";
import { stored } from "./cells/stored.ts";
import { translation } from "./cells/translation.ts";
import { triggers } from "./cells/triggers.ts";
import { voice } from "./cells/voice.ts";

export const CELLS: readonly Cell[] = [
  steady4,
  steady32,
  burst4,
  burst32,
  burstAgUi,
  firstEvent,
  fullSpeed1,
  fullSpeed32,
  replay,
  stored,
  cost,
  toolTurn,
  subscribers,
  sessionCreation,
  idleMemory,
  database,
  fold,
  permissions,
  bundleSize,
  translation,
  padding,
  prefix,
  growthHistory,
  longHistory,
  longConversation,
  growthSessions,
  growthRules,
  growthTenants,
  memory,
  triggers,
  rooms,
  voice,
  sockets,
  a2a,
  hostile,
];
