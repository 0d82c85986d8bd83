// The MCP servers of one execution of a reply: their catalogues are pinned once for the reply, their settings and secrets
// are read anew by each execution.
import type { McpPin } from "../../agent/mcp/mcp-pin.ts";
import { countMissing, selectTools } from "../../agent/mcp/select-tools.ts";
import type { StopSignal } from "../../agent/ports.ts";
import { createSecretSource, type SecretSource } from "../../outgoing/secret-source.ts";
import { namesOfTools } from "../../protocol/agents/contract.ts";
import type { McpTool } from "../../protocol/tools/mcp-tool.ts";
import {
  MAX_MCP_SERVERS_READ,
  DEFAULT_ELICITATION_TTL_SECONDS,
} from "../../protocol/mcp/limits.ts";
import { MAX_TOOLS } from "../../protocol/tools/limits.ts";
import type { McpDialect } from "../../protocol/mcp/versions.ts";
import { inTurns } from "../../runtime/in-turns.ts";
import { openPinnedCredentials } from "../../storage/credentials/pinned-credentials.ts";
import { readTenantKey } from "../../storage/credentials/tenant-key-storage.ts";
import { noteMcpServer, type McpServerNote } from "../../storage/mcp/note-mcp-server.ts";
import { catalogueOwner } from "../../storage/mcp/catalogue-owner.ts";
import type { KnownMcpServer } from "../../storage/mcp/read-mcp-servers.ts";
import { masterKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import { mcpEndpoint } from "../../tools/mcp/mcp-endpoint.ts";
import { McpLink } from "../../tools/mcp/mcp-link.ts";
import type { McpMemory } from "../../tools/mcp/mcp-memory.ts";
import type { McpPeople } from "../../tools/mcp/mcp-people.ts";
import type { McpLinkFound, McpServers } from "../../tools/mcp/mcp-servers-port.ts";
import type { ToolAccess } from "../../tools/tool-provider.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { McpTable } from "../tables/mcp-table.ts";
import { openSessionGrant, type GrantBindings } from "./open-session-grant.ts";
import { listServer, type Listed } from "./list-server.ts";
import { readServers, type FoundServers } from "./read-servers.ts";
import { storeServers } from "./store-servers.ts";
import { sessionPeople, type SessionPeopleContext } from "./session-people.ts";

export interface SessionMcpContext {
  readonly init: Pick<SessionInit, "agent" | "tenant_id" | "end_user_id" | "origin">;
  readonly replyId: string;
  readonly table: McpTable;
  readonly env: GrantBindings;
  readonly people: SessionPeopleContext;
}

export class SessionMcp implements McpServers {
  readonly #context: SessionMcpContext;
  readonly #entries: readonly McpTool[];
  readonly #links = new Map<string, McpLinkFound>();
  /** Versions of MCP that servers speak, as this execution has learned them. */
  readonly #dialects = new Map<string, McpDialect | null>();
  #found: FoundServers | null = null;
  #access: Pick<ToolAccess, "outgoing"> & { readonly secrets: SecretSource } = {
    outgoing: () => Promise.reject(new Error("the tools were not opened")),
    secrets: createSecretSource(null),
  };

  constructor(context: SessionMcpContext) {
    this.#context = context;
    this.#entries = context.init.agent.tools.filter((tool) => tool.type === "mcp");
  }

  pins(): readonly McpPin[] {
    return this.#context.table.pins();
  }

  async open(access: ToolAccess, stop: StopSignal): Promise<void> {
    const { table, replyId } = this.#context;
    const ids = this.#entries.map(({ server_id }) => server_id);
    const found = await this.openLinks(access);
    if (!table.arePinnedFor(replyId)) {
      const listed = await inTurns(ids, MAX_MCP_SERVERS_READ, (id) => this.#list(id, stop));
      // The next execution asks again.
      if (stop.aborted) return;
      table.pin(replyId, this.#pinsOf(listed));
    }
    if (found.isConfirmed) {
      storeServers(table, found, { ids, dialectOf: (known) => this.#dialectOf(known) });
    }
  }

  /** Reads the servers and their secrets, without asking any of them. Contract: never rejects. */
  async openLinks({ outgoing }: Pick<ToolAccess, "outgoing">): Promise<FoundServers> {
    const { table, init, env } = this.#context;
    const ids = this.#entries.map(({ server_id }) => server_id);
    const found = await readServers(env.DB, {
      tenantId: init.tenant_id,
      endUserId: init.end_user_id,
      ids,
      table,
    });
    this.#found = found;
    this.#access = { outgoing, secrets: await this.#openSecrets(found) };
    return found;
  }

  link(serverId: string, sessionId: string | null = null): McpLinkFound {
    const key = sessionId === null ? serverId : `${serverId} ${sessionId}`;
    const made = this.#links.get(key) ?? this.#link(serverId, sessionId);
    this.#links.set(key, made);
    return made;
  }

  people(serverId: string, callId: string): McpPeople {
    const { elicitation_ttl = DEFAULT_ELICITATION_TTL_SECONDS } =
      this.#entries.find(({ server_id }) => server_id === serverId) ?? {};
    return sessionPeople(this.#context.people, callId, elicitation_ttl * 1_000);
  }

  async reopen(serverId: string, stop: StopSignal) {
    const { table, replyId, env, init } = this.#context;
    // Another end user's sign-in changes nothing here; what was read before this one's holds no more.
    const found = await readServers(env.DB, {
      tenantId: init.tenant_id,
      endUserId: init.end_user_id,
      ids: this.#entries.map(({ server_id }) => server_id),
      table,
    });
    this.#found = found;
    // A call asks for it: whatever the server did before, a person may have signed in since.
    const listed = await this.#list(serverId, stop, true);
    if ("problem" in listed) return listed;
    if (stop.aborted) return { problem: "The reply was stopped." };
    const before = table.pins().filter(({ server_id }) => server_id !== serverId);
    const taken = before.reduce((sum, { tools }) => sum + tools.length, 0);
    const index = this.#entries.findIndex(({ server_id }) => server_id === serverId);
    const room = MAX_TOOLS - namesOfTools(init.agent.tools).length - taken;
    const all = this.#entries.map((_, at) => (at === index ? listed : { problem: "" }));
    const [pin] = this.#pinsOf(all, room).slice(index, index + 1);
    if (pin) table.pin(replyId, [...before, pin]);
    return null;
  }

  close(): void {
    for (const found of this.#links.values()) if (found.ok) found.link.close();
  }

  #link(serverId: string, sessionId: string | null): McpLinkFound {
    const known = this.#found?.servers.get(serverId);
    if (!known) return { ok: false, reason: this.#missing(serverId) };
    const { server } = known;
    const opened = openSessionGrant(server, { ...this.#context, ...this.#access });
    if (!opened.ok) return { ok: false, reason: opened.reason };
    const { grant } = opened;
    const made = mcpEndpoint(server, this.#access, grant);
    const problem = `The MCP server ${server.name} cannot be asked:`;
    if (!made.ok) return { ok: false, reason: `${problem} ${made.reason}.` };
    const { name, stateful, timeout_ms: timeoutMs } = server;
    const linked = { name, stateful, endpoint: made.endpoint };
    const link = new McpLink(linked, this.#memoryOf(known, sessionId));
    // Other tasks may live in it.
    if (sessionId !== null) link.keepSession();
    return { ok: true, link, timeoutMs, grant };
  }

  /** @param isAnew The server is asked whatever it did a moment ago. Never rejects. */
  async #list(serverId: string, stop: StopSignal, isAnew = false): Promise<Listed> {
    const known = this.#found?.servers.get(serverId);
    const linked = this.link(serverId);
    if (!known || !linked.ok) return { problem: linked.ok ? "" : linked.reason };
    const note = (update: McpServerNote) => this.#note(known, update);
    return listServer({ known, linked, isAnew, note }, stop);
  }

  /** In the order of the agent; what a model cannot take is left out from the end. */
  #pinsOf(
    listed: readonly Listed[],
    free = MAX_TOOLS - namesOfTools(this.#context.init.agent.tools).length,
  ): readonly McpPin[] {
    let room = free;
    return this.#entries.map((entry, index): McpPin => {
      const { server_id } = entry;
      const server = this.#found?.servers.get(server_id)?.server.name ?? server_id;
      const one = listed[index] ?? { problem: this.#missing(server_id) };
      const about = { server_id, server, left_out: 0 };
      if ("problem" in one) {
        const { problem, needsSignIn = false } = one;
        const none = { ...about, era: "legacy", tools: [] } as const;
        if (!needsSignIn) return { ...none, problem };
        room -= 1;
        return { ...none, problem: null, needs_sign_in: true };
      }
      const selected = selectTools(entry, one.tools);
      const tools = selected.slice(0, Math.max(room, 0));
      room -= tools.length;
      const { era } = one.dialect;
      const { tooMany, hasMore, unusable } = countMissing(entry, one.tools, one.rest);
      return {
        ...about,
        era,
        tools,
        problem: null,
        left_out: selected.length - tools.length + tooMany,
        ...(hasMore && { has_more: true }),
        ...(unusable > 0 && { unusable }),
      };
    });
  }

  #memoryOf(known: KnownMcpServer, given: string | null): McpMemory {
    const { table } = this.#context;
    const { id, version, stateful } = known.server;
    const dialects = this.#dialects;
    const dialectOf = (): McpDialect | null => this.#dialectOf(known);
    let sessionId = (stateful ? table.sessionId(id, version) : null) ?? given;
    return {
      get dialect() {
        return dialectOf();
      },
      get sessionId() {
        return sessionId;
      },
      noteDialect: (dialect) => {
        const isLearned = dialect?.noStream === true && !dialectOf()?.noStream;
        dialects.set(id, dialect);
        if (dialect === null) void this.#note(known, { type: "changed" });
        else if (isLearned) void this.#note(known, { type: "spoken", dialect });
      },
      noteSession: (given) => {
        sessionId = given;
        if (stateful) table.storeSession(id, given === null ? null : { version, id: given });
      },
      noteListChanged: () => void this.#note(known, { type: "changed" }),
    };
  }

  #dialectOf({ server: { id, version }, catalogue }: KnownMcpServer): McpDialect | null {
    const learned = this.#dialects.get(id);
    if (learned !== undefined) return learned;
    const stored = this.#context.table.stored(id)?.known;
    const before = stored?.server.version === version ? stored.dialect : null;
    return catalogue?.dialect ?? before;
  }

  #missing(serverId: string): string {
    return this.#found?.isConfirmed === false
      ? `The MCP server ${serverId} could not be looked up.`
      : `The MCP server ${serverId} does not exist any more.`;
  }

  /** Without a key that fits, none of them may be used. */
  async #openSecrets({ sealed }: FoundServers): Promise<SecretSource> {
    const { env, init } = this.#context;
    const { tenant_id } = init;
    try {
      const opened = await openPinnedCredentials({ ...sealed, tenant_id }, masterKeyOf(env), () =>
        readTenantKey(env.DB, tenant_id),
      );
      return createSecretSource(opened);
    } catch (error) {
      console.error("the credentials of MCP servers cannot be opened", { error });
      return createSecretSource(null);
    }
  }

  /** Facts that cannot be written are found out again. Contract: never rejects. */
  async #note({ server }: KnownMcpServer, update: McpServerNote): Promise<void> {
    const { env, init } = this.#context;
    const { id: server_id, version } = server;
    const end_user_id = catalogueOwner(server, init.end_user_id);
    const asked = { tenant_id: init.tenant_id, server_id, version, end_user_id };
    try {
      await noteMcpServer(env.DB, asked, update);
    } catch (error) {
      console.warn("a catalogue could not be kept", { error: String(error) });
    }
  }
}
