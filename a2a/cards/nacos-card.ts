// Cards from a Nacos registry, 3.1.0 or later, by the HTTP API of its agents. Written from public sources and tested
// against a fake made of them; not tried against a real registry:
// - https://nacos.io/docs/v3.1/manual/user/ai/agent-registry (3.3.1: GET /nacos/v3/admin/ai/a2a by namespace and name)
// - https://nacos.io/en/docs/next/manual/admin/admin-api/ (the context path, `/nacos` by default; sign-in)
// - https://github.com/alibaba/nacos/blob/develop/ai/src/main/java/com/alibaba/nacos/ai/controller/A2aAdminController.java
//   and api/src/main/java/com/alibaba/nacos/api/ai/model/a2a/AgentCard.java (parameters; members of 0.3 and of 1.0)
import type { CardSource } from "../../protocol/a2a/remote-agent.ts";
import { isJsonObject } from "../../protocol/json-object.ts";
import type { CardFound, CardPorts } from "./card-source.ts";
import { readJsonAnswer } from "./json-answer.ts";

type Registry = Extract<CardSource, { nacos: unknown }>["nacos"];

/** Contract as `findCard`. Asks anew each time: the registry's latest version may change. */
export async function findNacosCard(
  registry: Registry,
  ports: CardPorts,
  signal: AbortSignal,
): Promise<CardFound> {
  const base = baseOf(registry.server);
  const about = `The registry ${new URL(base).host}`;
  const signed = await signIn(registry, base, { ports, signal, about });
  if (!signed.ok) return signed;
  const parameters = new URLSearchParams({
    namespaceId: registry.namespace ?? "public",
    agentName: registry.name,
    ...(registry.version !== undefined && { version: registry.version }),
  });
  const address = `${base}/v3/admin/ai/a2a?${parameters.toString()}`;
  const headers = { accept: "application/json", ...signed.headers };
  const answer = await readJsonAnswer(ports.outgoing, address, { headers, signal });
  if (!answer.ok) return { ...answer, reason: `${about} ${answer.reason}.` };
  const { value } = answer;
  const isFound = isJsonObject(value) && (value["code"] === 0 || value["code"] === 200);
  if (!isFound || !isJsonObject(value["data"])) {
    const reason = `${about} has no agent ${registry.name} in this namespace and version.`;
    return { ok: false, kind: "not_found", reason };
  }
  return { ok: true, card: value["data"], origin: null };
}

interface Asking {
  readonly ports: CardPorts;
  readonly signal: AbortSignal;
  readonly about: string;
}

type SignedIn =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>> }
  | Extract<CardFound, { ok: false }>;

/** A token for the account of the credential, `user:password`; no header for a registry without one. */
async function signIn(
  { credential_id }: Registry,
  base: string,
  { ports, signal, about }: Asking,
): Promise<SignedIn> {
  if (credential_id === undefined) return { ok: true, headers: {} };
  const granted = ports.secrets(credential_id, base);
  if (!granted.ok) {
    const reason = `The credential ${credential_id} ${granted.problem}.`;
    return { ok: false, kind: "setup", reason };
  }
  const [username = "", ...rest] = granted.secret.split(":");
  const answer = await readJsonAnswer(ports.outgoing, `${base}/v3/auth/user/login`, {
    method: "POST",
    body: new URLSearchParams({ username, password: rest.join(":") }),
    signal,
  });
  if (!answer.ok) return { ...answer, reason: `${about}, asked for a token, ${answer.reason}.` };
  const { value } = answer;
  const token = isJsonObject(value)
    ? (value["accessToken"] ?? (isJsonObject(value["data"]) ? value["data"]["accessToken"] : null))
    : null;
  if (typeof token !== "string" || !/^[\x21-\x7e]{1,8192}$/.test(token)) {
    return { ok: false, kind: "credential_refused", reason: `${about} gave no token.` };
  }
  return { ok: true, headers: { accessToken: token } };
}

/** Without a path it is the default one. */
function baseOf(server: string): string {
  const { origin, pathname } = new URL(server);
  const path = pathname.replace(/\/+$/, "");
  return `${origin}${path === "" ? "/nacos" : path}`;
}
