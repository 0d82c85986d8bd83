// Rows for clients of AG-UI, whose requests name their session as a thread. The runs are made anew with each request.
import type { Row } from "./row.ts";

function run(threadId: string, content: string) {
  const id = crypto.randomUUID();
  return { threadId, runId: id, messages: [{ id, role: "user", content }] };
}

export const AG_UI_ROWS = {
  runAgUi: {
    answers: 200,
    body: ({ ids, word }) => run(ids.session_id, `Again ${word}`),
    places: [
      {
        where: "body threadId",
        id: ({ ids }) => ids.session_id,
        body: (threadId) => run(threadId, "Whose is this?"),
        refused: 404,
        // The name of a thread of the caller's own.
        unlike: [200],
      },
    ],
  },
  joinAgUi: {
    answers: 200,
    query: ({ ids }) => `thread_id=${ids.session_id}`,
    places: [
      {
        where: "query thread_id",
        id: ({ ids }) => ids.session_id,
        query: (threadId) => `thread_id=${threadId}`,
        refused: 404,
        // In which the caller has said something before, or not.
        unlike: [200, 204],
      },
    ],
  },
  readAgUiCapabilities: { answers: 200 },
} as const satisfies Readonly<Record<string, Row>>;
