// The people who are connected to a room that speaks, and what they are sent.
import type { FloorFrame } from "../../agent/rooms/floor/floor-input.ts";
import type { ErrorCode } from "../../protocol/errors.ts";
import type { RoomOwnFrame } from "../../protocol/voice/frames.ts";
import type { Person } from "./person.ts";

export class People {
  /** By their names in the room. */
  readonly #people = new Map<string, Person>();

  get isEmpty(): boolean {
    return this.#people.size === 0;
  }

  get all(): readonly Person[] {
    return [...this.#people.values()];
  }

  find(participant: string): Person | null {
    return this.#people.get(participant) ?? null;
  }

  ofSocket(socket: WebSocket): Person | null {
    return this.all.find(({ client }) => client.socket === socket) ?? null;
  }

  add(person: Person): void {
    this.#people.set(person.participant, person);
  }

  /** @returns False for one whose place a newer connection has taken. */
  remove(person: Person): boolean {
    const { participant, client, ear } = person;
    client.stop();
    ear.stop();
    return this.#people.get(participant) === person && this.#people.delete(participant);
  }

  tellAll(frame: RoomOwnFrame): void {
    for (const { client } of this.all) client.send(frame);
  }

  failAll(code: ErrorCode, detail: string): void {
    for (const { client } of this.all) client.fail(code, detail);
  }

  /** @param spent Told of each who was sent as much audio as one connection is. */
  send({ frame, to }: FloorFrame, spent: (person: Person) => void): void {
    for (const person of this.all) {
      const { participant, client } = person;
      if (to !== null && to !== participant) continue;
      if (frame.type === "audio_end") client.endAudio(frame.item);
      if (frame.type === "audio_clear") client.dropAudio(frame.item);
      client.send(frame);
      if (client.isSpent) spent(person);
    }
  }

  sendAudio(item: number, ms: number, pcm: Uint8Array): void {
    for (const { client } of this.all) client.sendAudio(item, Math.round(ms), pcm);
  }

  /** Keeps with the sockets, for after a sleep, which numbers have been. */
  note(next_item: number): void {
    for (const { client } of this.all) client.note({ next_item });
  }
}
