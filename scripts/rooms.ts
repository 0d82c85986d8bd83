// Folders whose rooms are cut by concept, and what stands elsewhere in them.

/** Product folders, and suites of tests. The SDK and the console are cut by what an app and a person see. */
export const CONCEPT_FOLDERS: readonly string[] = [
  "protocol",
  "agent",
  "storage",
  "worker",
  "durable-objects",
  "tools",
  "test/unit",
  "test/worker",
  "test/conformance",
];

/** By path, with the reason. A path ends in `/` for all below it. */
export const ROOM_EXCEPTIONS: Readonly<Record<string, string>> = {
  "protocol/messages/": "blocks and their members, below all contracts",
  "protocol/schemas/": "schemas of values, below all contracts",
  "protocol/dialects/": "translations: what a dialect makes of each concept",
  "protocol/file-address.ts": "read by the codec of messages, below all contracts",
  "protocol/event-type.ts": "a type of the events' file",
  "agent/loop/": "the loop",
  "agent/model-turn/": "one step of the loop",
  "agent/state/": "the reply's state, which records what each concept adds to it",
  "agent/tool-chunk.ts": "a shape of the port of tools",
  "agent/skill-library.ts": "a port",
  "agent/memory-store.ts": "a port",
  "storage/secrets/": "encryption, below all tables",
  "storage/outbox/": "what an object delivers, of all concepts in one batch",
  "worker/auth/": "who asks",
  "worker/objects/": "stubs of objects",
  "worker/middleware/": "steps of every request",
  "durable-objects/acts/": "the object's part of each concept: its handlers, in one file",
  "durable-objects/api/": "types of the object's RPC",
  "durable-objects/tables/": "the session's tables, one schema",
  "durable-objects/settings/": "the session's settings, and what is opened from them",
  "durable-objects/dialects/": "streams in each dialect",
  "durable-objects/lifecycle/": "what an object does by itself",
  "durable-objects/log/": "the session's log",
  "durable-objects/session-object.ts": "the class of the object",
  "durable-objects/session-sockets.ts":
    "the object's sockets, readers and voices, beside its streams",
  "durable-objects/tenant-object.ts": "the class of the object",
  "tools/hook-runner.ts": "joins the hooks of a deployment with those of agents",
  "tools/providers/": "a provider for each kind of tool",
  "test/worker/crash/": "scenarios of the crash matrix",
  "test/worker/log/": "tests of the log",
  "test/worker/support/": "shared parts",
  "test/worker/sdk/": "tests of the SDK",
};
