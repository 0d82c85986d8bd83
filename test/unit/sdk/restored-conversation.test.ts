// The conversation of a store behind a restore: what stays, and what follows in the log.
import { expect, test } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import { UserMsg } from "../../../protocol/messages/constructors.ts";
import {
  shownMessages,
  takeEvent,
  type ConversationState,
} from "../../../sdk/store/conversation.ts";
import { deepFreeze } from "../../support/deep-freeze.ts";

const AT = "2026-12-01T12:00:00.000Z";

function user(id: string) {
  const content = [{ type: "text" as const, text: id, id: `${id}_0` }];
  return UserMsg({ id, name: "kim", content, created_at: AT });
}

const added = (id: string) => ({ name: "message_added", value: { message: user(id) } });
const restored = (last_message_id: string | null, added_messages: number) => ({
  name: "session_restored",
  value: { last_message_id, added_messages },
});

function idsAfter(
  ids: readonly string[],
  events: readonly object[],
  more: Partial<ConversationState> = {},
) {
  const before: ConversationState = deepFreeze({
    messages: ids.map(user),
    live: null,
    cursor: 10,
    foldedTo: 10,
    controlledTo: 10,
    replyId: null,
    asked: new Map(),
    progress: new Map(),
    queuedReplyIds: [],
    olderPage: null,
    ...more,
  });
  const after = events.reduce<ConversationState>((state, event, index) => {
    const logged = { type: "CUSTOM", created_at: AT, metadata: {}, seq: 11 + index, ...event };
    return takeEvent(state, logged as LoggedEvent, null);
  }, before);
  return { ids: shownMessages(after).map(({ id }) => id), olderPage: after.olderPage };
}

test("the messages up to the last that stays are left, and those that follow are added", () => {
  const { ids } = idsAfter(["m1", "m2", "m3"], [restored("m1", 1), added("m4")]);

  expect(ids).toEqual(["m1", "m4"]);
});

test("a message comes back with the same id", () => {
  const { ids } = idsAfter(["m1", "m2"], [restored("m1", 0), restored("m1", 1), added("m2")]);

  expect(ids).toEqual(["m1", "m2"]);
});

test("nothing is left where no message stays, also in older pages", () => {
  const { ids, olderPage } = idsAfter(["m8"], [restored(null, 0)], { olderPage: "pg_9" });

  expect([ids, olderPage]).toEqual([[], null]);
});

test("what stays is in an older page, where it is none of those that are shown", () => {
  const { ids, olderPage } = idsAfter(["m8"], [restored("m1", 0)], { olderPage: "pg_9" });

  expect([ids, olderPage]).toEqual([[], "pg_9"]);
});

test("the newest version of a message that grew stays", () => {
  const grown = { ...user("m2"), name: "grown" };
  const live = { message: grown, index: 1, foldedTo: 10 };
  const { ids } = idsAfter(["m1", "m2", "m3"], [restored("m2", 0)], { live });

  expect(ids).toEqual(["m1", "m2"]);
});

test("a restore that the page was read behind changes nothing", () => {
  const { ids } = idsAfter(["m1", "m2"], [restored(null, 0)], { foldedTo: 11 });

  expect(ids).toEqual(["m1", "m2"]);
});
