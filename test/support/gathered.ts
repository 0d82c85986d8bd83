// The texts that a reader puts together of frames in any dialect, whether their deltas are condensed or not.
export interface ReadFrame {
  readonly event: { readonly type: string } & Readonly<Record<string, unknown>>;
}

/**
 * The texts of these frames, each put together of its deltas, and everything else as it came. Of RAW events those are
 * dropped whose seq the reader has, as the protocol says of events.
 */
export function gathered(frames: readonly ReadFrame[]): readonly string[] {
  const texts = new Map<string, string>();
  const others: string[] = [];
  let rawSeq = 0;
  for (const { event } of frames) {
    const isRaw = event.type === "RAW";
    const told = (isRaw ? event["event"] : event) as Readonly<Record<string, unknown>>;
    if (isRaw && Number(told["seq"]) <= rawSeq) continue;
    if (isRaw) rawSeq = Number(told["seq"]);
    const { delta } = told;
    if (typeof delta !== "string") others.push(JSON.stringify(event));
    else {
      const names = ["messageId", "block_id", "blockId", "tool_call_id", "toolCallId"];
      const id = JSON.stringify(names.map((name) => told[name]));
      const key = `${isRaw ? "RAW " : ""}${String(told["type"])} ${id}`;
      texts.set(key, (texts.get(key) ?? "") + delta);
    }
  }
  return [...others, ...[...texts].map(([key, text]) => `${key}: ${text}`)];
}
