// The log's word on who has opened a voice connection.
import { expect, it, vi } from "vitest";

import { OpenedNotes } from "../../../durable-objects/voice/note-opened.ts";
import type { Actor } from "../../../durable-objects/api/session-api.ts";
import { withHeldSession } from "../sessions/held-session.ts";

it("comes in the order of the connections, however long the tenant takes to give room for one", () =>
  withHeldSession({}, async ({ session }) => {
    const admit = session.tenant.admitBytes.bind(session.tenant);
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    vi.spyOn(session.tenant, "admitBytes").mockImplementationOnce(async (...asked) => {
      await isReleased;
      return admit(...asked);
    });
    const append = vi.spyOn(session.log, "append");
    const notes = new OpenedNotes();
    const [first, second] = ["key_1", "key_2"].map((id) =>
      notes.add(session, { kind: "api_key", id } as Actor),
    );
    release();
    await Promise.all([first, second]);

    expect(append.mock.calls.map(([[event]]) => event?.metadata)).toEqual([
      { opened_by: { kind: "api_key", id: "key_1" } },
      { opened_by: { kind: "api_key", id: "key_2" } },
    ]);
  }));
