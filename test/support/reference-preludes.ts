// Values that the snippets of the reference pages presuppose, by page and number: values of the reader's own program,
// which the text around a snippet names.

const ENVIRONMENT = `
const { BASE_URL, API_KEY, AGENT_ID, SESSION_ID, FREE_SESSION_ID, FREE_CLIENT_TOKEN } = process.env;
const { API_KEY: apiKey, BASE_URL: baseUrl, AGENT_ID: agent_id } = process.env;
const render = (message) => console.log(JSON.stringify(message));
const fetchTokenFromMyServer = async () => FREE_CLIENT_TOKEN;
`;

/** A session of the SDK that nothing waits in. */
const SESSION = `${ENVIRONMENT}
import { Reprise } from "@reprise/sdk";
const reprise = new Reprise({ apiKey, baseUrl });
const session = reprise.session(FREE_SESSION_ID);
`;

/** The address of an example leads to the platform that runs. */
const EXAMPLE_ADDRESS = `
const send = globalThis.fetch;
globalThis.fetch = (url, init) =>
  send(String(url).replace("https://agents.example.com", process.env.BASE_URL), init);
`;

/** A webhook as the platform signs it, and a server in the place of the platform's callback address. */
const WEBHOOK = `
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";
const secret = "whsec_" + btoa("a secret of thirty-two bytes, ok");
const tool_call = { type: "tool_call", id: "call_2", name: "refund_order", input: "{}", state: "asking" };
const pending = [{ tool_call, kind: "confirmation", input_hash: "sha256:" + "0".repeat(64), expires_at: null }];
const server = createServer((incoming, response) => {
  console.log(incoming.method, incoming.url);
  response.writeHead(incoming.method === "GET" ? 200 : 202, { "content-type": "application/json" });
  response.end(JSON.stringify(incoming.method === "GET" ? { session_id: "ses_1", reply_id: "rep_1", pending } : { accepted: 1 }));
  if (incoming.method === "POST") server.close();
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
server.unref();
const callback_url = "http://127.0.0.1:" + server.address().port + "/v1/callbacks/cb_1";
const rawBody = JSON.stringify({
  type: "confirmation.required",
  timestamp: new Date().toISOString(),
  data: { session_id: "ses_1", reply_id: "rep_1", calls: [], callback_url },
});
const at = new Date();
const request = { headers: new Headers({
  "webhook-id": "msg_1",
  "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
  "webhook-signature": new Webhook(secret).sign("msg_1", at, rawBody),
}) };
`;

export const REFERENCE_PRELUDES: Readonly<Record<string, string>> = {
  "client-tokens 3": `
const { BASE_URL: baseUrl, ENDPOINT_ID: endpointId, ENDPOINT_SECRET: secret } = process.env;
const { SESSION_ID: session_id, REPLY_ID: reply_id } = process.env;
`,
  "files 1": "printf '\\xff\\xd8\\xff\\xe0\\x00\\x10JFIF\\x00' > IMG_1.jpg",
  "replays 2": SESSION,
  "tools 2": SESSION,
  "webhooks 2": `import { webhooks } from "@reprise/sdk";\n${WEBHOOK}`,
  "sdk 1": `${ENVIRONMENT}${EXAMPLE_ADDRESS}import { Reprise } from "@reprise/sdk";`,
  "plans 2": SESSION,
  "background-tools 2": SESSION,
  "tool-groups 2": SESSION,
  "sdk 2": `${ENVIRONMENT}import { connectSession } from "@reprise/sdk";\nconst sessionId = FREE_SESSION_ID;`,
  "sdk 3": `${SESSION}
const earlier = session.reply("Hello");
for await (const event of earlier) break;
const { id, cursor } = earlier;
const message = earlier.message();
`,
  "sdk 4": `${SESSION}
const askThePerson = async () => true;
const printLabel = async (order_id) => "Label of " + order_id;
`,
  "sdk 5": `${SESSION}const reply = session.reply("I want my money back.");`,
  "sdk 6": `${SESSION}const stream = session.reply("Hello");`,
  "sdk 7": `import { webhooks, readCallback, answerCallback, confirmEvent } from "@reprise/sdk";\n${WEBHOOK}`,
  "sdk/front-ends 1": `${ENVIRONMENT}const [sessionId, agentId, tools] = [FREE_SESSION_ID, AGENT_ID, []];`,
  "sdk/front-ends 2": `${ENVIRONMENT}import { connectSession } from "@reprise/sdk";\nconst sessionId = FREE_SESSION_ID;`,
  "sdk 8": `${SESSION}`,
};
