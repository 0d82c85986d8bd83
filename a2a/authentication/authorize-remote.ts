// The sign-in of requests to one agent, as its card and the definition say. A token is kept as long as this object.
import { tokensOfClient } from "../../outgoing/oauth/client-credentials.ts";
import { toOAuthFailure } from "../../outgoing/oauth/oauth-failure.ts";
import type { ReadTokens } from "../../outgoing/oauth/read-tokens.ts";
import type { SecretSource } from "../../outgoing/secret-source.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import { TOKEN_MARGIN_MS } from "../../protocol/a2a/remote-limits.ts";
import type { RemoteAgent } from "../../protocol/a2a/remote-agent.ts";
import { isJsonObject } from "../../protocol/json-object.ts";
import { readJsonAnswer } from "../cards/json-answer.ts";
import type { ResolvedCard } from "../cards/resolved-card.ts";
import type { AuthorizedHeaders, RemoteAuthorization } from "../client/remote-client.ts";
import { chooseScheme, type ChosenScheme } from "./choose-scheme.ts";
import { addressRefusal, tokenAddressRefusal } from "./credential-address.ts";

type ClientScheme = Extract<ChosenScheme, { type: "client_credentials" }>;

type Signed = Extract<AuthorizedHeaders, { ok: true }>;

/** Printable ASCII without spaces at its ends, as a header may hold it. */
const SENDABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

const NOTHING: Signed = { ok: true, headers: {}, secrets: [] };

export function authorizeRemote(
  agent: RemoteAgent,
  card: ResolvedCard,
  ports: { readonly outgoing: OutgoingFetch; readonly secrets: SecretSource },
): RemoteAuthorization {
  const { credential_id } = agent;
  if (credential_id === undefined) return { authorize: () => Promise.resolve(NOTHING) };
  const choice = chooseScheme(card, agent);
  let tokens: ReadTokens | null = null;
  let isRenewed = false;
  return {
    async authorize(address, signal) {
      if (!choice.ok) return choice;
      const refusal = addressRefusal(agent, card, address);
      if (refusal !== null) return { ok: false, reason: refusal };
      // Also where a token is sent: it is the credential's.
      const granted = ports.secrets(credential_id, address);
      if (!granted.ok) return refuse(credential_id, granted.problem);
      if (!SENDABLE.test(granted.secret))
        return refuse(credential_id, "cannot be sent in a header");
      const { scheme } = choice;
      if (scheme.type !== "client_credentials") return headersOf(scheme, granted.secret);
      if (!tokens || tokens.expires_at - TOKEN_MARGIN_MS <= Date.now()) {
        const fresh = await getTokens(scheme, signal);
        if (!fresh.ok) return fresh;
        tokens = fresh.tokens;
      }
      return headersOf({ type: "bearer" }, tokens.access_token);
    },
    // A token may have been revoked: once, another one is asked for. A secret stays as it is.
    refused() {
      const mayHelp = tokens !== null && !isRenewed;
      tokens = null;
      isRenewed = true;
      return mayHelp;
    },
  };

  async function getTokens(
    { token, scope }: ClientScheme,
    signal: AbortSignal,
  ): Promise<
    | { readonly ok: true; readonly tokens: ReadTokens }
    | { readonly ok: false; readonly reason: string }
  > {
    const endpoint =
      "endpoint" in token
        ? token.endpoint
        : await endpointOf(token.metadata, ports.outgoing, signal);
    if (endpoint === null || !URL.canParse(endpoint)) {
      return { ok: false, reason: "The card's scheme names no address that gives tokens." };
    }
    const refusal = tokenAddressRefusal(agent, card, endpoint);
    if (refusal !== null) return { ok: false, reason: refusal };
    const granted = ports.secrets(credential_id ?? "", endpoint);
    if (!granted.ok) return refuse(credential_id ?? "", granted.problem);
    const client_id = agent.oauth?.client_id ?? "";
    const client = { token_endpoint: endpoint, client_id, client_secret: granted.secret, scope };
    try {
      return { ok: true, tokens: await tokensOfClient(client, ports.outgoing) };
    } catch (error) {
      const { message } = toOAuthFailure(error, "give a token");
      return { ok: false, reason: `The agent was not asked: ${message}.` };
    }
  }
}

async function endpointOf(
  metadata: string,
  outgoing: OutgoingFetch,
  signal: AbortSignal,
): Promise<string | null> {
  if (!URL.canParse(metadata)) return null;
  const answer = await readJsonAnswer(outgoing, metadata, { signal });
  const endpoint = answer.ok && isJsonObject(answer.value) ? answer.value["token_endpoint"] : null;
  return typeof endpoint === "string" ? endpoint : null;
}

function refuse(credentialId: string, problem: string): Extract<AuthorizedHeaders, { ok: false }> {
  return { ok: false, reason: `The credential ${credentialId} ${problem}.` };
}

function headersOf(scheme: Exclude<ChosenScheme, ClientScheme>, secret: string): Signed {
  switch (scheme.type) {
    case "bearer":
      return sent({ authorization: `Bearer ${secret}` }, secret);
    case "basic": {
      const encoded = btoa(secret);
      return { ...sent({ authorization: `Basic ${encoded}` }, secret), secrets: [secret, encoded] };
    }
    case "header":
      return sent({ [scheme.name]: secret }, secret);
    case "cookie":
      return sent({ cookie: `${scheme.name}=${encodeURIComponent(secret)}` }, secret);
    case "query":
      return { ok: true, headers: {}, query: { [scheme.name]: secret }, secrets: [secret] };
    default:
      return scheme satisfies never;
  }
}

function sent(headers: Readonly<Record<string, string>>, secret: string): Signed {
  return { ok: true, headers, secrets: [secret] };
}
