import type { QueueJob } from "../storage/sessions/queue-job.ts";
import { app } from "./app.ts";
import { queue } from "./jobs/queue.ts";
import { scheduled } from "./jobs/sweep.ts";

export { MemoryObject } from "../durable-objects/memory/memory-object.ts";
export { TriggerObject } from "../durable-objects/triggers/trigger-object.ts";
export { RoomObject } from "../durable-objects/rooms/room-object.ts";
export { SearchObject } from "../durable-objects/search/search-object.ts";
export { SessionObject } from "../durable-objects/session-object.ts";
export { TenantObject } from "../durable-objects/tenant-object.ts";

export default { fetch: app.fetch, queue, scheduled } satisfies ExportedHandler<Env, QueueJob>;
