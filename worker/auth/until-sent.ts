// Answers that are in memory until their client has read them.
export interface SendingAnswer {
  /** The answer, to be given to the client. */
  readonly response: Response;
  /** Resolves when the client has taken all of it, has left, or has not read on for too long. Never rejects. */
  readonly sent: Promise<void>;
  /** Forgets an answer that nobody gets. */
  drop(): void;
}

/** @param mostMs Milliseconds after which the connection of a client that does not read on is closed. */
export function untilSent({ body, ...answer }: AnswerWithBody, mostMs: number): SendingAnswer {
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  const reader = body.getReader();
  const drop = (reason?: unknown): void => {
    clearTimeout(timer);
    resolve();
    void reader.cancel(reason).catch(() => undefined);
  };
  let closeLate: (() => void) | null = null;
  const timer = setTimeout(() => closeLate?.(), mostMs);
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        closeLate = () => {
          const error = new Error("the client has not read its answer in time");
          drop(error);
          controller.error(error);
        };
      },
      // Called when what was given before is taken: a client that does not read on is not given more.
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          drop();
          controller.close();
        } catch (error) {
          drop(error);
          throw error;
        }
      },
      cancel: drop,
    },
    { highWaterMark: 0 },
  );
  return { response: new Response(stream, answer), sent, drop };
}

export interface AnswerWithBody {
  readonly body: ReadableStream<Uint8Array>;
  readonly status: number;
  readonly headers: Headers;
}
