// Tools of MCP servers, under names of their own.
import { hintFor } from "../../agent/explain-failure.ts";
import { describeLeftOut } from "../../agent/mcp/describe-left-out.ts";
import { declareMcpTools, selectTools, SIGN_IN_TOOL } from "../../agent/mcp/select-tools.ts";
import type { McpPin } from "../../agent/mcp/mcp-pin.ts";
import { mcpToolName } from "../../agent/mcp/mcp-tool-name.ts";
import type { StopSignal, ToolChunk, ToolDeclaration } from "../../agent/ports.ts";
import { hostOf } from "../../outgoing/allowed-hosts.ts";
import type { McpTool } from "../../protocol/tools/mcp-tool.ts";
import { failure } from "../answer-shape.ts";
import type { McpGrant } from "../mcp/oauth/mcp-grant.ts";
import type { McpServers } from "../mcp/mcp-servers-port.ts";
import { runMcpTool } from "../mcp/run-mcp-tool.ts";
import { NOT_SENT, type ToolKindOf } from "../tool-kind.ts";
import type { ToolProvider } from "../tool-provider.ts";

const PREFIX = "mcp__";
const TASK_LOST =
  "It had begun a task, so its outcome is unknown: find out before you call it again.";

export const MCP_KIND: ToolKindOf<"mcp"> = {
  provide: (entries, { mcp }) => mcpTools(entries, mcp),
  /** Asks the server for its tools, as a reply would, and whatever it did a moment ago. */
  async check(entry, { openServer }, stop) {
    const { server_id } = entry;
    const opened = await openServer(server_id);
    if (!opened) {
      const note = "The MCP server does not exist any more.";
      const hint = "Leave it out, or name another one.";
      return {
        ...NOT_SENT,
        name: server_id,
        status: "failed",
        kind: "not_found",
        note,
        hint,
      };
    }
    const { name, url, credential_id = null } = opened.server;
    const asked = { ...NOT_SENT, name, host: hostOf(url), method: "POST" } as const;
    const listed = await opened.list(stop);
    opened.link?.close();
    if (!listed.ok) {
      const { kind, http_status = null, message = null, reason } = listed.failure;
      const party = { name: `The MCP server ${name}`, isModel: false, credential_id };
      const hint = hintFor({ kind }, party);
      return { ...asked, status: "failed", http_status, kind, message, note: reason, hint };
    }
    const { tools, rest } = listed.catalogue;
    const offered = selectTools(entry, tools).length;
    const note = `It lists ${tools.length} tools, and ${offered} of them are offered.`;
    const left = describeLeftOut(rest);
    if (left) return { ...asked, status: "warning", note, hint: left.detail };
    if (offered > 0) return { ...asked, status: "ok", note, hint: null };
    const hint =
      "See GET /v1/mcp-servers/{id}/tools for why; compare `enable` with the names there.";
    return { ...asked, status: "warning", note, hint };
  },
};

/** @param servers Pins alone where nothing is run. */
export function mcpTools(
  entries: readonly McpTool[],
  servers: Pick<McpServers, "pins"> | McpServers,
): ToolProvider {
  const declared = memoize((pins: readonly McpPin[]) =>
    entries.flatMap((entry) => {
      const pin = pins.find(({ server_id }) => server_id === entry.server_id);
      return pin ? declareMcpTools(entry, pin) : [];
    }),
  );
  return {
    get tools() {
      return declared(servers.pins());
    },
    returnsUntrusted: true,
    owns: (name) => entries.length > 0 && name.startsWith(PREFIX),
    async open(access, stop) {
      if (entries.length > 0 && "open" in servers) await servers.open(access, stop);
    },
    async *run(request, stop, { report }) {
      const pins = servers.pins();
      const unsigned = "link" in servers ? findUnsigned(pins, request.name) : null;
      if (unsigned && "link" in servers) {
        yield* signIn(servers, unsigned, request.session_id, stop);
        return;
      }
      const found = "link" in servers ? findTool(pins, request.name) : null;
      if (!found || !("link" in servers)) {
        yield* failure(`There is no tool named ${request.name}.`);
        return;
      }
      const { server_id, server, tool } = found;
      const { input, answered, tool_call_id, hasTask } = request;
      const people = servers.people(server_id, tool_call_id);
      const linked = servers.link(server_id, hasTask ? people.kept()?.task?.session_id : null);
      if (!linked.ok) {
        report?.({ failure: { kind: "setup", message: linked.reason } });
        yield* failure(hasTask ? `${linked.reason} ${TASK_LOST}` : linked.reason);
        return;
      }
      const { link, timeoutMs, grant } = linked;
      const waitForSignIn = async () =>
        grant?.isOfPerson ? awaitSignIn(grant, request.session_id, stop) : null;
      const declaration = declared(pins).find(({ name }) => name === request.name);
      const isIdempotent = declaration?.idempotent === true;
      const about = { link, server_id, server, tool, input, isIdempotent, timeoutMs };
      const call = { ...about, people, answered, hasTask };
      yield* runMcpTool({ ...call, stop, report, signIn: waitForSignIn });
    },
  };
}

/** The pin whose server a sign-in is asked for with a tool of this name. */
function findUnsigned(pins: readonly McpPin[], name: string): McpPin | null {
  const isNamed = ({ needs_sign_in, server }: McpPin): boolean =>
    needs_sign_in === true && mcpToolName(server, SIGN_IN_TOOL) === name;
  return pins.find(isNamed) ?? null;
}

/** Waits for a person, and lists the tools when it is made again behind the sign-in. */
async function* signIn(
  servers: McpServers,
  { server_id, server }: McpPin,
  sessionId: string,
  stop: StopSignal,
): AsyncGenerator<ToolChunk, void> {
  const failed = await servers.reopen(server_id, stop);
  if (stop.aborted) return;
  if (failed === null) {
    yield {
      type: "text",
      delta: `The user has signed in to ${server}. Its tools can be called now.`,
    };
    return;
  }
  const linked = servers.link(server_id);
  const canSignIn = failed.needsSignIn && linked.ok && linked.grant?.isOfPerson;
  const waiting =
    canSignIn && linked.grant ? await awaitSignIn(linked.grant, sessionId, stop) : null;
  if (stop.aborted) return;
  if (waiting) yield* waiting;
  else yield* failure(failed.problem);
}

/** The last chunk of the call; of several, those of a failure where no sign-in can begin. */
async function awaitSignIn(
  grant: McpGrant,
  sessionId: string,
  stop: StopSignal,
): Promise<readonly ToolChunk[]> {
  const begun = await grant.begin(sessionId, stop);
  return begun.ok
    ? [{ type: "authorization_required", authorization: begun.authorization }]
    : [...failure(begun.reason)];
}

function findTool(pins: readonly McpPin[], name: string) {
  for (const { server_id, server, tools } of pins) {
    const tool = tools.find((one) => mcpToolName(server, one.name) === name);
    if (tool) return { server_id, server, tool };
  }
  return null;
}

/** The loop asks for the tools at every call. */
function memoize(
  make: (pins: readonly McpPin[]) => readonly ToolDeclaration[],
): (pins: readonly McpPin[]) => readonly ToolDeclaration[] {
  let last: { readonly of: readonly McpPin[]; readonly made: readonly ToolDeclaration[] } | null =
    null;
  return (pins) => {
    if (last?.of !== pins) last = { of: pins, made: make(pins) };
    return last.made;
  };
}
