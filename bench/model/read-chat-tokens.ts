// A minimal reader of a chat completion's stream, for peers without one.

interface Chunk {
  readonly choices: readonly { readonly delta: { readonly content?: string | null } }[];
}

/** The text deltas of an answer. */
export async function* readChatTokens(answer: Response): AsyncGenerator<string> {
  if (!answer.ok || !answer.body) throw new Error(`the model answered ${answer.status}`);
  const decoder = new TextDecoder();
  const reader = answer.body.getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + decoder.decode(part.value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!line.startsWith("data: {")) continue;
      const [choice] = (JSON.parse(line.slice("data: ".length)) as Chunk).choices;
      if (choice?.delta.content) yield choice.delta.content;
    }
  }
}
