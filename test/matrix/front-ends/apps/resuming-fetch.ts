/** Milliseconds before each further try, until one brings something new. */
const PAUSES_MS = [200, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000];

/**
 * A `fetch` for HttpAgent. When the connection breaks it sends the same run again with the id of the last frame, and the
 * platform goes on behind that frame. After half a minute without success the stream ends, as an incomplete run.
 */
export async function resumingFetch(url: string, init: RequestInit): Promise<Response> {
  const first = await fetch(url, init);
  if (!first.ok || !first.body) return first;
  const frames = readRun(url, init, first.body);
  const encoder = new TextEncoder();
  const whole = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await frames.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`${value}\n\n`));
    },
    cancel: () => void frames.return(),
  });
  return new Response(whole, { status: first.status, headers: first.headers });
}

async function* readRun(url: string, init: RequestInit, first: ReadableStream<Uint8Array>) {
  let body: ReadableStream<Uint8Array> | null = first;
  let lastId = "";
  let tries = 0;
  while (true) {
    try {
      for await (const frame of body ? readFrames(body) : []) {
        yield frame;
        tries = 0;
        lastId = /^id: (.*)$/m.exec(frame)?.[1] ?? lastId;
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (data && /^RUN_(FINISHED|ERROR)$/.test(JSON.parse(data).type)) return;
      }
    } catch {
      // The connection is lost.
    }
    const pauseMs = PAUSES_MS[tries++];
    if (pauseMs === undefined || init.signal?.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const headers = new Headers(init.headers);
    if (lastId) headers.set("Last-Event-ID", lastId);
    const response = await fetch(url, { ...init, headers }).catch(() => null);
    if (response && response.status >= 400 && response.status < 500) return;
    body = response?.ok ? response.body : null;
  }
}

/** Whole frames only: one that was cut off is sent again. */
async function* readFrames(body: ReadableStream<Uint8Array>) {
  const reader = body
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  let text = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const frames = (text + read.value).split("\n\n");
    text = frames.pop() ?? "";
    yield* frames;
  }
}
