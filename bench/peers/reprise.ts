// Peer: the platform, with its Worker, its objects and a D1 stand-in in one process.
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

import {
  unstable_getMiniflareWorkerOptions,
  unstable_readConfig,
  unstable_splitSqlQuery as splitStatements,
} from "wrangler";

import { bundleWorker } from "../../scripts/bundle-worker.ts";
import { openApi, readString, type LocalApi } from "../../scripts/local-api.ts";
import { writeSite } from "../../scripts/write-site.ts";
import { readStream } from "../clients/read-stream.ts";
import type { ObjectUsage } from "../cost/object-usage.ts";
import type { DatabaseCounts } from "../database-counts.ts";
import type { MemoryFill } from "../memory/fill.ts";
import { writeScript } from "../model/model-script.ts";
import type { MockModel } from "../model/start-model.ts";
import type { RowCounts } from "../row-counts.ts";
import { BENCH_VOICE } from "../runtime/bench-voice.ts";
import { bundleService } from "../runtime/bundle-service.ts";
import { startWorkerd } from "../runtime/start-workerd.ts";
import type { WorkerService } from "../runtime/worker-service.ts";
import type { Peer, PeerSession } from "./peer.ts";
import { MAX_QUOTA } from "../../protocol/quotas/limits.ts";

export interface Reprise extends Peer {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** API clients with the operator's key and with the bench tenant's. */
  readonly operator: LocalApi;
  readonly tenant: RepriseTenant;
  /** The model definition for the mock model. */
  readonly mockModel: object;
  /** @param format The dialect of the reply streams. */
  openSession(format?: string): Promise<RepriseSession>;
  /** @param fields Overrides of an agent that uses the mock model. */
  createAgent(fields?: object): Promise<string>;
  openSessionOf(agentId: string, format?: string): Promise<RepriseSession>;
  /** A new AG-UI thread of the agent; its first run opens the session. */
  openThread(): PeerSession;
  readRows(sessionId: string): Promise<RowCounts>;
  readDatabase(): Promise<DatabaseCounts>;
  readObjects(): Promise<ObjectUsage>;
  /** The number of times that objects of sessions have come into memory so far. */
  readWakes(): Promise<number>;
  /** Creates another tenant, with a key that is not cached. */
  createTenant(): Promise<RepriseTenant>;
  /** Runs statements directly in the database, in one transaction. */
  runStatements(statements: readonly string[]): Promise<void>;
  /** @param times Copies of the session's only reply afterwards. @returns The last seq. */
  repeatReply(sessionId: string, times: number): Promise<number>;
  /** Writes memories into a store of the bench tenant's, whose object is evicted then. */
  fillMemories(storeId: string, memories: MemoryFill): Promise<void>;
  /** Evicts the session's object; the next request recreates it. */
  putAway(sessionId: string): Promise<void>;
}

export interface RepriseTenant {
  readonly id: string;
  readonly key: string;
  readonly api: LocalApi;
}

export interface RepriseSession extends PeerSession {
  readonly id: string;
}

const OPERATOR_KEY = "operator-key-of-the-bench";

interface RepriseOptions {
  /** Whether idle objects leave the memory. */
  readonly evictsObjects?: boolean;
}

export async function startReprise(
  model: MockModel,
  { evictsObjects = false }: RepriseOptions = {},
): Promise<Reprise> {
  const platform = bundlePlatform().then((service) => ({ ...service, evictsObjects }));
  const workerd = await startWorkerd(await Promise.all([platform, ...bundleParts()]));
  try {
    const databaseUrl = workerd.urlOf("database");
    await runStatements(databaseUrl, readMigrations());
    const baseUrl = workerd.urlOf("platform");
    const operator = openApi(baseUrl, OPERATOR_KEY);
    const tenant = await createTenant(baseUrl, operator);
    const mockModel = { provider: "openai", name: "mock", base_url: model.baseUrl };
    const agentId = await createAgent({});
    return {
      name: "reprise",
      pid: workerd.pid,
      baseUrl,
      operator,
      tenant,
      mockModel,
      openSession: (format) => openSessionOf(agentId, format),
      openSessionOf,
      openThread,
      createAgent,
      readRows,
      readDatabase,
      readObjects,
      readWakes: () => read("/bench/wakes"),
      createTenant: () => createTenant(baseUrl, operator),
      runStatements: (statements) => runStatements(databaseUrl, statements),
      repeatReply: (session, times) => read(`/bench/repeat?${nameOf(session)}&times=${times}`),
      async fillMemories(store, memories) {
        const query = new URLSearchParams({ tenant: tenant.id, store });
        const url = `${baseUrl}/bench/memories?${query.toString()}`;
        const { status } = await fetch(url, { method: "POST", body: JSON.stringify(memories) });
        if (status !== 200) throw new Error(`the memories were not written: ${status}`);
      },
      putAway: (session) => read(`/bench/put-away?${nameOf(session)}`),
      databaseRowsWritten: async () => (await readDatabase()).rows_written,
      stop: () => workerd.stop(),
    };

    async function createAgent(fields: object = {}): Promise<string> {
      const body = { name: "Bench", model: mockModel, ...fields };
      return readString(await tenant.api.call("POST", "/v1/agents", body), "id");
    }

    async function openSessionOf(agent_id: string, format = "agentscope"): Promise<RepriseSession> {
      const id = readString(await tenant.api.call("POST", "/v1/sessions", { agent_id }), "id");
      return {
        id,
        tellsAgain: format === "agentscope-java",
        reply: (script) =>
          readStream({
            url: `${baseUrl}/v1/sessions/${id}/replies?format=${format}`,
            headers: { authorization: `Bearer ${tenant.key}` },
            body: JSON.stringify({ input: writeScript(script), stream: true }),
          }),
        rowsWritten: async () => (await readRows(id)).written,
        storedBytes: async () => (await readRows(id)).size_bytes,
      };
    }

    function openThread(): PeerSession {
      return {
        reply: (script) =>
          readStream({
            url: `${baseUrl}/v1/agents/${agentId}/ag-ui`,
            headers: { authorization: `Bearer ${tenant.key}`, accept: "text/event-stream" },
            body: JSON.stringify({
              threadId: crypto.randomUUID(),
              runId: crypto.randomUUID(),
              messages: [{ id: crypto.randomUUID(), role: "user", content: writeScript(script) }],
              state: {},
              tools: [],
              context: [],
              forwardedProps: {},
            }),
          }),
      };
    }

    async function readRows(session: string): Promise<RowCounts> {
      return read(`/bench/rows?${nameOf(session)}`);
    }

    function nameOf(session: string): string {
      return new URLSearchParams({ tenant: tenant.id, session }).toString();
    }

    function readDatabase(): Promise<DatabaseCounts> {
      return read("/bench/database");
    }

    function readObjects(): Promise<ObjectUsage> {
      return read("/bench/objects");
    }

    async function read<T>(path: string): Promise<T> {
      return (await (await fetch(`${baseUrl}${path}`)).json()) as T;
    }
  } catch (error) {
    await workerd.stop();
    throw error;
  }
}

async function bundlePlatform(): Promise<WorkerService> {
  const config = unstable_readConfig({ config: pathOf("../../wrangler.toml") });
  const { define } = unstable_getMiniflareWorkerOptions(config);
  await writeSite();
  const { code } = await bundleWorker(pathOf("../worker/platform.ts"), define, [BENCH_VOICE]);
  return {
    name: "platform",
    code,
    compatibilityDate: config.compatibility_date ?? "",
    compatibilityFlags: config.compatibility_flags,
    objects: [
      "SessionObject",
      "TenantObject",
      "SearchObject",
      "MemoryObject",
      "TriggerObject",
      "RoomObject",
    ],
    bindings: [
      { name: "SESSION", type: "objects", className: "SessionObject" },
      { name: "TENANT", type: "objects", className: "TenantObject" },
      { name: "SEARCH", type: "objects", className: "SearchObject" },
      { name: "MEMORY", type: "objects", className: "MemoryObject" },
      { name: "TRIGGER", type: "objects", className: "TriggerObject" },
      { name: "ROOM", type: "objects", className: "RoomObject" },
      { name: "DB", type: "database", service: "database" },
      { name: "DATABASE", type: "service", service: "database" },
      { name: "FILES", type: "bucket", service: "files" },
      { name: "WEBHOOK_QUEUE", type: "queue", service: "sink" },
      { name: "REMOVAL_QUEUE", type: "queue", service: "sink" },
      { name: "ENVIRONMENT", type: "text", text: "local" },
      { name: "OPERATOR_KEY", type: "text", text: OPERATOR_KEY },
      { name: "KEY_PEPPER", type: "text", text: "pepper-of-the-bench" },
      { name: "MASTER_KEY", type: "text", text: btoa("master-key-of-the-bench-32-bytes") },
    ],
    isPublic: true,
  };
}

/** Quotas are out of the way of growth measurements. */
const NO_QUOTAS = {
  running_replies: MAX_QUOTA,
  tokens_per_day: MAX_QUOTA,
  sessions: MAX_QUOTA,
  agents: MAX_QUOTA,
  agent_versions: MAX_QUOTA,
  api_keys: MAX_QUOTA,
  stored_bytes: MAX_QUOTA,
  database_bytes: MAX_QUOTA,
  triggers: MAX_QUOTA,
};

function bundleParts(): readonly Promise<WorkerService>[] {
  return [
    bundleService("database", "worker/database.ts").then((service) => ({
      ...service,
      objects: ["Database"],
      bindings: [{ name: "DATABASE", type: "objects", className: "Database" } as const],
      isPublic: true,
    })),
    bundleService("files", "worker/files.ts").then((service) => ({
      ...service,
      // The settings that the local tools give to it: with later ones a request to it is cut.
      compatibilityDate: "2023-07-24",
      compatibilityFlags: ["nodejs_compat", "experimental"],
      objects: ["R2BucketObject"],
      bindings: [
        { name: "BUCKET", type: "objects", className: "R2BucketObject" } as const,
        { name: "MINIFLARE_BLOBS", type: "service", service: "disk" } as const,
      ],
    })),
    bundleService("sink", "worker/sink.ts"),
  ];
}

function readMigrations(): readonly string[] {
  const folder = pathOf("../../migrations");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .toSorted()
    .flatMap((name) => splitStatements(readFileSync(`${folder}/${name}`, "utf8")));
}

/** Runs the statements in one transaction at the database service's URL. */
async function runStatements(url: string, statements: readonly string[]): Promise<void> {
  const body = JSON.stringify(statements.map((sql) => ({ sql })));
  const answer = await (await fetch(`${url}/query`, { method: "POST", body })).text();
  if (!answer.startsWith("[")) throw new Error(`the database refused: ${answer}`);
}

async function createTenant(baseUrl: string, operator: LocalApi): Promise<RepriseTenant> {
  const tenant = { name: "Bench", quotas: NO_QUOTAS };
  const id = readString(await operator.call("POST", "/v1/tenants", tenant), "id");
  const answer = await operator.call("POST", "/v1/api-keys", { tenant_id: id });
  const key = readString(answer, "api_key");
  return { id, key, api: openApi(baseUrl, key) };
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
