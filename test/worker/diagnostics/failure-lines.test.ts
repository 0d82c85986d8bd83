// The lines that a deployment's log has of failures.
import { expect, test, vi } from "vitest";

import { REFUND, withTools } from "../confirmations/parked.ts";
import { createdSession, reply } from "../sessions/session.ts";

const PAY = { ...REFUND, name: "pay", read_only: true };

test("a failed tool call and a failed reply are a line of JSON each, with nothing that others wrote", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  try {
    const init = await createdSession({ tools: [PAY] });
    await withTools(
      async () => {
        const { id } = await reply(init, "/call pay {}\n/fail authentication");

        const lines = warn.mock.calls
          .map(([line]) => String(line))
          .filter((line) => line.startsWith('{"log"'));
        const where = { tenant_id: init.tenant_id, session_id: init.session_id, reply_id: id };
        expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
          { log: "tool_call_failed", ...where, kind: "provider_error", http_status: 500 },
          { log: "reply_failed", ...where, kind: "credential_refused", http_status: null },
        ]);
        expect(lines.join("")).not.toMatch(/\n|forged|words of the server/);
      },
      async () => new Response("words of the server\nforged line", { status: 500 }),
    );
  } finally {
    warn.mockRestore();
  }
});
