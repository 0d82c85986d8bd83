// The erasure of an end user who takes part in a room: the words are taken out of the room and of the sessions that have heard
// them, and the person leaves. What agents have said stays.
import { accept, type Result } from "../../protocol/errors.ts";
import { UserMsg } from "../../protocol/messages/constructors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { PARTICIPANT } from "../../protocol/rooms/events.ts";
import type { ParticipantInput } from "../../protocol/rooms/participants.ts";
import { AGENT_ANSWER_MS } from "../../protocol/tools/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { ERASED } from "../tables/redact-messages.ts";
import { interruptRoom } from "./interrupt-room.ts";
import type { OpenRoom } from "./open-room.ts";
import { participantStub } from "./participant-stub.ts";
import { leaveRoom } from "./room-members.ts";
import type { KnownMember, MemberBody } from "./room-table.ts";

/** Repeatable until all of it is done: who the person was is forgotten last. @throws when a session cannot be reached. */
export async function eraseEndUser(room: OpenRoom, endUserId: string): Promise<Result<null>> {
  const { table, messages, env, init, log } = room;
  const people = table.members().filter((member) => endUserOf(member) === endUserId);
  if (people.length === 0) return accept(null);
  // A model that runs has been sent the words.
  await interruptRoom(room, {});
  // Whoever is connected may speak until then.
  for (const { name, left_at } of people) if (left_at === null) await leaveRoom(room, name);
  const names = new Set(people.map(({ name }) => name));
  const redacted: Msg[] = [];
  for (const { item } of messages.between(0, log.lastSeq)) {
    if (names.has(item.message.name)) redacted.push(erased(item.message));
  }
  for (const { session_id } of table.members()) {
    if (session_id === null) continue;
    const stub = participantStub(env, init.tenant_id, session_id);
    const asked = stub.act("redactFromRoom", { messages: redacted });
    const done = await withinDeadline(asked, AGENT_ANSWER_MS);
    if (!done.ok && done.refusal.code !== "not_found") return done;
  }
  room.redact(redacted);
  for (const { name } of people) {
    const member = table.member(name);
    if (member) table.setBody(name, withoutEndUser(member));
  }
  for (const id of table.tokensOf(names)) {
    room.tokens.revoke(id, Date.now());
    room.subscribers.cut(id);
  }
  const participants = init.participants.map((added) =>
    names.has(added.name) ? withoutId(added) : added,
  );
  table.rewrite({ ...room.init, participants });
  await room.sync();
  return accept(null);
}

function endUserOf({ added }: KnownMember): string | null {
  return added.kind === "person" ? (added.end_user_id ?? null) : null;
}

function withoutEndUser({ added, agent_version, joined_at, left_at }: KnownMember): MemberBody {
  return { added: withoutId(added), agent_version, joined_at, left_at };
}

function withoutId(added: ParticipantInput): ParticipantInput {
  if (added.kind !== "person") return added;
  const { end_user_id: _, ...person } = added;
  return person;
}

function erased({ id, name, created_at }: Msg): Msg {
  const metadata = { [PARTICIPANT]: name };
  return UserMsg({ name, content: ERASED, id, created_at, metadata });
}
