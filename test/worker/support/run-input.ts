/** @returns What a client of AG-UI sends with the first message of a thread. */
export function runInput(threadId: string, content: string, runId: string = crypto.randomUUID()) {
  return { threadId, runId, messages: [{ id: `${runId}-message`, role: "user", content }] };
}
