// The floor of a turn with tools: as long as the model asks for one, ask it and ask the model again. Nothing is kept,
// nothing is checked and nobody is shown what happens meanwhile.

interface Turn {
  readonly messages: readonly unknown[];
}

const HEADERS = { "content-type": "application/json" };

export default {
  /** `?model=<address>&tool=<address>`: the body is the first request to the model. */
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
