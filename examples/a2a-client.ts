import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import { SendMessageRequest, taskStateToJSON } from "@a2a-js/sdk";

const { API_KEY = "", AGENT_ID = "", BASE_URL = "http://localhost:8787" } = process.env;
const fetchImpl: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set("Authorization", `Bearer ${API_KEY}`);
  return fetch(input, { ...init, headers });
};
const factory = new ClientFactory(
  ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  }),
);
const client = await factory.createFromUrl(`${BASE_URL}/v1/agents/${AGENT_ID}/a2a`);

const EXTENSION = "urn:reprise:a2a:replies:v1";
const send = (message: object) =>
  client.sendMessageStream(
    SendMessageRequest.fromJSON({
      message: { messageId: crypto.randomUUID(), role: "ROLE_USER", ...message },
    }),
  );

interface Question {
  kind: string;
  call_id: string;
}
let waiting: { taskId: string; questions: readonly Question[] } | undefined;
async function follow(message: object): Promise<void> {
  waiting = undefined;
  for await (const { payload } of send(message)) {
    if (payload?.$case === "artifactUpdate") {
      for (const { content } of payload.value.artifact?.parts ?? []) {
        if (content?.$case === "text") process.stdout.write(content.value);
      }
    }
    if (payload?.$case !== "statusUpdate") continue;
    const { taskId, status } = payload.value;
    console.log(status && `\n${taskStateToJSON(status.state)}`);
    for (const { content } of status?.message?.parts ?? []) {
      if (content?.$case !== "data") continue;
      waiting = { taskId, questions: content.value[EXTENSION]?.questions ?? [] };
    }
  }
}

await follow({ parts: [{ text: "I want my money back for A-1001." }] });
// A person would decide here. A question says which call waits, and with which arguments.
while (waiting) {
  const { taskId, questions } = waiting;
  const answers = questions.map(({ kind, call_id }) =>
    kind === "confirmation"
      ? { kind, call_id, confirmed: true }
      : { kind, call_id, output: "RETURN-7741" },
  );
  await follow({ taskId, parts: [{ data: { [EXTENSION]: { answers } } }] });
}
