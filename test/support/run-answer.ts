// The answer to a run of AG-UI, or to a join, as it is on the wire.
import { expect } from "vitest";

interface RunFrame {
  readonly id: string;
  readonly event: Readonly<Record<string, unknown>> & { readonly type: string };
}

export interface RunAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly frames: readonly RunFrame[];
  /** Of a refusal before any stream. */
  readonly problem: {
    readonly code?: string;
    readonly errors?: readonly { readonly pointer: string }[];
  };
}

/** Each frame is `id`, `event` and one line of JSON, and ends with an empty line; there are no other line ends. */
export async function readRun(response: Response): Promise<RunAnswer> {
  const { status, headers } = response;
  const text = await response.text();
  const answer = { status, headers, frames: [], problem: {} };
  if (headers.get("content-type") !== "text/event-stream") {
    return { ...answer, problem: text === "" ? {} : (JSON.parse(text) as RunAnswer["problem"]) };
  }
  expect(text).not.toContain("\r");
  expect(text.endsWith("\n\n")).toBe(true);
  const blocks = text
    .slice(0, -2)
    .split("\n\n")
    .filter((block) => !/^(?::|retry: )/.test(block));
  const frames = blocks.map((block): RunFrame => {
    const [, id = "", type, data = ""] =
      /^id: (\d+(?:\.\d+)?)\nevent: (\w+)\ndata: (.+)$/.exec(block) ?? [];
    const event = JSON.parse(data) as RunFrame["event"];
    expect(event.type).toBe(type);
    return { id, event };
  });
  return { ...answer, frames };
}

export function typesOf({ frames }: RunAnswer): string[] {
  return frames.map(({ event }) => event.type);
}

export function refusalOf({ status, problem }: RunAnswer) {
  return [status, problem.code, problem.errors?.map(({ pointer }) => pointer)];
}
