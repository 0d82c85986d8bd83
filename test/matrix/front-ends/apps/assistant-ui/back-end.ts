const { REPRISE_URL = "http://localhost:8787", API_KEY = "", AGENT_ID = "" } = process.env;

/** The addresses and the token with which the page talks to the platform by itself. */
export interface Connection {
  /** The agent's AG-UI endpoint. */
  readonly url: string;
  /** The session, which is the thread. */
  readonly threadId: string;
  /** A client token for this session alone; it expires after 15 minutes. */
  readonly token: string;
}

/** Opens a conversation of the person that you know by this id. @returns its id. */
export async function openThread(endUserId: string): Promise<string> {
  const session = await post("/v1/sessions", { agent_id: AGENT_ID, end_user_id: endUserId });
  return String(session["id"]);
}

export async function connect(threadId: string): Promise<Connection> {
  const verbs = ["read", "reply", "confirm", "interrupt", "tool_result"];
  const { token } = await post(`/v1/sessions/${threadId}/tokens`, { verbs });
  return { url: `${REPRISE_URL}/v1/agents/${AGENT_ID}/ag-ui`, threadId, token: String(token) };
}

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${REPRISE_URL}${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${API_KEY}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Record<string, unknown>;
}
