// A person in a scenario: signs in where a reply asks for it, and answers the questions of a server.
import { setTimeout as pause } from "node:timers/promises";

import { ask } from "./platform-door.ts";

interface Form {
  readonly properties: Readonly<
    Record<string, { readonly type: string; readonly default?: unknown }>
  >;
}

interface Waiting {
  readonly tool_call: { readonly id: string; readonly name: string };
  readonly authorization?: { readonly connection_id: string; readonly url: string };
  readonly elicitation?: {
    readonly requests: Readonly<Record<string, { readonly requested_schema: Form }>>;
  };
}

interface Reply {
  readonly id: string;
  readonly status: string;
  readonly pending: readonly Waiting[];
  readonly message: {
    readonly content: readonly { readonly type: string; readonly state?: string }[];
  };
}

/** Requests of one reply that a person follows: more than any scenario needs, or allows. */
const ROUNDS = 10;
const POLL_MS = 50;

/** A conversation of an end user with an agent that has the tools of one server, and may use them. */
export async function openConversation(serverId: string) {
  const tools = [{ type: "mcp", server_id: serverId, permissions: { "*": "allow" } }];
  const agent = await ask<{ id: string }>("POST", "/agents", { name: "Desk", tools });
  const body = { agent_id: agent.id, end_user_id: "ada" };
  const { id } = await ask<{ id: string }>("POST", "/sessions", body);
  const path = `/sessions/${id}`;
  return {
    /** Until somebody has to do something, or it has ended. */
    say: (input: string) => ask<Reply>("POST", `${path}/replies`, { input }),
    /** Does what the reply waits for, again and again, until it has ended. @throws When a tool of it has failed. */
    async finish(reply: Reply): Promise<void> {
      let now = reply;
      for (let round = 0; round < ROUNDS && now.pending.length > 0; round += 1) {
        // Sequential: what is asked depends on the answer before.
        for (const waiting of now.pending) await act(path, now, waiting);
        do {
          await pause(POLL_MS);
          now = await ask<Reply>("GET", `${path}/replies/${now.id}`);
        } while (now.status === "running");
      }
      const results = now.message.content.filter(({ type }) => type === "tool_result");
      if (results.some(({ state }) => state !== "success")) throw new Error("a tool has failed");
    },
  };
}

async function act(path: string, { id }: Reply, waiting: Waiting): Promise<void> {
  const { tool_call, authorization, elicitation } = waiting;
  if (authorization) return signIn(authorization);
  const responses = Object.fromEntries(
    Object.entries(elicitation?.requests ?? {}).map(([name, { requested_schema }]) => [
      name,
      { action: "accept", content: filledIn(requested_schema) },
    ]),
  );
  const execution_results = [{ id: tool_call.id, output: JSON.stringify({ responses }) }];
  const type = "EXTERNAL_EXECUTION_RESULT";
  await ask("POST", `${path}/events`, { type, reply_id: id, execution_results });
}

/**
 * Opens the page, whose server sends the browser on to the platform's, and hands back the code that it shows.
 * @throws When it shows none.
 */
async function signIn({
  connection_id,
  url,
}: {
  readonly connection_id: string;
  readonly url: string;
}): Promise<void> {
  const page = await fetch(url);
  const html = await page.text();
  const [, code] = /<code>([^<]+)<\/code>/.exec(html) ?? [];
  process.stdout.write(
    `${url} led to ${page.url}: ${page.status} ${/<h1[^>]*>([^<]*)/.exec(html)?.[1]}\n`,
  );
  if (code === undefined) throw new Error("the page has no code");
  await ask("POST", `/connections/${connection_id}/complete`, { code });
}

/** As the form has filled it in; yes to what it asks beyond that. */
function filledIn({ properties }: Form) {
  const answers = Object.entries(properties).flatMap(([name, { type, default: offered }]) => {
    if (offered !== undefined) return [[name, offered] as const];
    return type === "boolean" ? [[name, true] as const] : [];
  });
  return Object.fromEntries(answers);
}
