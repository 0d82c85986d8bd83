// Decides in which era a message is, from its body first: the body says what is wanted, and headers that repeat it have
// to agree, because proxies route by them.
import { isHeaderValueOf } from "../mcp/header-values.ts";
import type { RpcId, RpcNotification, RpcParams, RpcRequest } from "./json-rpc.ts";
import { isObject, rpcError, type RpcAnswer } from "./json-rpc.ts";
import {
  HANDSHAKE_VERSIONS,
  SELF_DESCRIBED_VERSIONS,
  UNSTATED_VERSION,
  type HandshakeVersion,
  type SelfDescribedVersion,
} from "./versions.ts";

const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
const CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** The headers of MCP; undefined for one that is missing. */
export interface McpHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

export type MessageEra =
  | { readonly era: "handshake"; readonly version: HandshakeVersion }
  | {
      readonly era: "self_described";
      readonly version: SelfDescribedVersion;
      /** As the request declares them. */
      readonly capabilities: RpcParams;
    };

export type Classified =
  | { readonly ok: true; readonly era: MessageEra }
  /** To be answered with status 400. */
  | { readonly ok: false; readonly answer: RpcAnswer };

export function classifyMessage(
  message: RpcRequest | RpcNotification,
  headers: McpHeaders,
): Classified {
  const id = message.kind === "request" ? message.id : null;
  const meta = isObject(message.params["_meta"]) ? message.params["_meta"] : {};
  const isHeaderNew = SELF_DESCRIBED_VERSIONS.some((version) => version === headers.version);
  if (PROTOCOL_VERSION in meta) return classifySelfDescribed(message, meta, headers);
  if (isHeaderNew && message.kind === "notification")
    return selfDescribed(SELF_DESCRIBED_VERSIONS[0], {});
  if (isHeaderNew) {
    const detail = `the header names ${headers.version}, whose requests have _meta["${PROTOCOL_VERSION}"]`;
    return refuse(id, "invalid_params", detail, { envelope: { missing: [PROTOCOL_VERSION] } });
  }
  // The header of `initialize` says nothing yet: its body negotiates.
  if (message.method === "initialize") return handshake(HANDSHAKE_VERSIONS[0]);
  const version = headers.version ?? UNSTATED_VERSION;
  const known = HANDSHAKE_VERSIONS.find((one) => one === version);
  if (known) return handshake(known);
  const supported = [...SELF_DESCRIBED_VERSIONS, ...HANDSHAKE_VERSIONS];
  const detail = `this version is not supported; these are: ${supported.join(", ")}`;
  return refuse(id, "refused", detail, { supported });
}

function classifySelfDescribed(
  message: RpcRequest | RpcNotification,
  meta: RpcParams,
  headers: McpHeaders,
): Classified {
  const id = message.kind === "request" ? message.id : null;
  const claimed = meta[PROTOCOL_VERSION];
  const capabilities = meta[CLIENT_CAPABILITIES];
  if (typeof claimed !== "string") {
    return refuse(id, "invalid_params", `_meta["${PROTOCOL_VERSION}"] is a text`);
  }
  if (message.kind === "request" && !isObject(capabilities)) {
    return refuse(id, "invalid_params", `_meta["${CLIENT_CAPABILITIES}"] is an object`);
  }
  // Before the version itself: what took another way than the header says is not to be tried in another version.
  const mismatch = message.kind === "request" ? findMismatch(message, claimed, headers) : null;
  if (mismatch !== null) return refuse(id, "header_mismatch", mismatch);
  const version = SELF_DESCRIBED_VERSIONS.find((one) => one === claimed);
  if (!version) {
    const data = { supported: [...SELF_DESCRIBED_VERSIONS], requested: claimed };
    return refuse(id, "unsupported_version", "this protocol version is not supported", data);
  }
  return selfDescribed(version, isObject(capabilities) ? capabilities : {});
}

/** A header that is missing, or says otherwise than the body; as a sentence. */
function findMismatch(
  { method, params }: RpcRequest,
  claimed: string,
  headers: McpHeaders,
): string | null {
  if (headers.version?.trim() !== claimed) {
    return "the header MCP-Protocol-Version has to name the version of the body";
  }
  if (headers.method?.trim() !== method) {
    return "the header Mcp-Method has to name the method of the body";
  }
  const { name } = params;
  if (method !== "tools/call" || typeof name !== "string") return null;
  return headers.name !== undefined && isHeaderValueOf(name, headers.name.trim())
    ? null
    : "the header Mcp-Name has to name the tool of the body";
}

function handshake(version: HandshakeVersion): Classified {
  return { ok: true, era: { era: "handshake", version } };
}

function selfDescribed(version: SelfDescribedVersion, capabilities: RpcParams): Classified {
  return { ok: true, era: { era: "self_described", version, capabilities } };
}

function refuse(
  id: RpcId | null,
  code: Parameters<typeof rpcError>[1],
  message: string,
  data?: unknown,
): Classified {
  return { ok: false, answer: rpcError(id, code, message, data) };
}
