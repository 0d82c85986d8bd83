// The routes that take client tokens, each with a request that it accepts.
import type { Session } from "../../../protocol/sessions/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { RouteName } from "../../../protocol/routes.ts";
import { PATH_PARAMETERS, ROUTES, type Route } from "../../../protocol/routes.ts";

/** Calls of routes that take tokens, where they need more than the address. */
export const BODIES: Partial<Record<RouteName, (reply: Reply) => object>> = {
  completeConnection: () => ({ code: "sc_1" }),
  createReply: () => ({ input: "Hello" }),
  createStreamTicket: ({ session_id }) => ({ path: `/v1/sessions/${session_id}/events` }),
  postEvent: ({ id }) => ({ type: "USER_INTERRUPT", reply_id: id }),
  runAgUi: ({ session_id }) => {
    const id = crypto.randomUUID();
    return { threadId: session_id, runId: id, messages: [{ id, role: "user", content: "Hello" }] };
  },
};
/** Of the routes that find their session in the query. */
const QUERIES: Partial<Record<RouteName, (reply: Reply) => string>> = {
  joinAgUi: ({ session_id }) => `?thread_id=${session_id}`,
  uploadFile: ({ session_id }) => `?session_id=${session_id}`,
  listFiles: ({ session_id }) => `?session_id=${session_id}`,
};

export function addressOf(
  route: Route & { readonly name: RouteName },
  { session }: { readonly session: Session },
  reply: Reply,
): string {
  const ids: Record<string, string> = {
    agent_id: session.agent_id,
    session_id: session.id,
    reply_id: reply.id,
    message_id: reply.id,
  };
  const path = route.path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => ids[name] ?? `${PATH_PARAMETERS[name]}_${"0".repeat(26)}`,
  );
  return path + (QUERIES[route.name]?.(reply) ?? "");
}

export const OF_A_FILE = ["readFile", "readFileContent", "createFileLink"] as const;
export const ALL_ROUTES = (ROUTES as readonly (Route & { name: RouteName })[]).filter(
  ({ access }) => access !== "public",
);
