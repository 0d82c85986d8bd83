// The floor of a turn with tools: calls the tool and the model again as long as the model asks for it. Without storage,
// checks or streaming.

interface Turn {
  readonly messages: readonly unknown[];
}

const HEADERS = { "content-type": "application/json" };

export default {
  /** `?model=<url>&tool=<url>`: the body is the first request to the model. */
  async fetch(request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    let turn = (await request.json()) as Turn;
    for (;;) {
      const answer = await post(searchParams.get("model") ?? "", JSON.stringify(turn));
      if (!answer.includes('"tool_calls"')) return new Response(answer);
      const content = await post(searchParams.get("tool") ?? "", "{}");
      const messages = [...turn.messages, { role: "assistant" }, { role: "tool", content }];
      turn = { ...turn, messages };
    }
  },
} satisfies ExportedHandler;

async function post(url: string, body: string): Promise<string> {
  return (await fetch(url, { method: "POST", headers: HEADERS, body })).text();
}
