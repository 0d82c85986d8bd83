// The conversation of a room that speaks: people, lines to agents and the floor. In memory alone; without it all goes on in writing.
import { roomStatus } from "../../agent/rooms/next-steps.ts";
import { SAMPLE_BYTES } from "../../protocol/voice/limits.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { Refusal, Result } from "../../protocol/errors.ts";
import { ROOM_TURN_ENDED, roomEventOf, TEAM_UPDATED } from "../../protocol/rooms/events.ts";
import { END_CLOSE_CODE } from "../../protocol/voice/sockets.ts";
import type { HeardAudio } from "../../model/voice/heard-turns.ts";
import { closeSocket } from "../sockets/close-sockets.ts";
import { interruptRoom } from "./interrupt-room.ts";
import type { OpenRoom, RoomFloor } from "./open-room.ts";
import { ROOM_RATE, type LineFrame } from "./agent-line.ts";
import { AgentLines } from "./agent-lines.ts";
import { FloorDriver, type FloorAct } from "./floor-driver.ts";
import { People } from "./people.ts";
import type { Person } from "./person.ts";
import type { FrameTaker } from "./person-frames.ts";
import { say } from "./say-turn.ts";
import { SpokenTurns } from "./spoken-turns.ts";

const SPENT = "it was sent as much audio as one connection is; go on with the cursor on a new one";
const ROOM_BYTES_PER_MS = (ROOM_RATE / 1_000) * SAMPLE_BYTES;

interface SpokenOptions {
  readonly room: OpenRoom;
  readonly idleMs: number;
  readonly nextItem: number;
}

export class SpokenRoom implements FrameTaker, RoomFloor {
  readonly #room: OpenRoom;
  readonly #idleMs: number;
  readonly #people = new People();
  readonly #floor: FloorDriver;
  readonly #lines: AgentLines;
  readonly #turns: SpokenTurns;
  #newest: Person | null = null;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor({ room, idleMs, nextItem }: SpokenOptions) {
    this.#room = room;
    this.#idleMs = idleMs;
    this.#floor = new FloorDriver((act, pcm) => this.#perform(act, pcm), nextItem);
    this.#turns = new SpokenTurns(room, (participant) =>
      this.#tell({ type: "speech_settled", participant }),
    );
    this.#lines = new AgentLines({
      room,
      actor: () => this.#newest?.actor ?? null,
      frame: (participant, frame) => this.#takeFrame(participant, frame),
      audio: (participant, agent_item, pcm) => {
        const ms = pcm.byteLength / ROOM_BYTES_PER_MS;
        this.#tell({ type: "audio", participant, agent_item, ms }, pcm);
      },
      lost: (participant) => this.#tell({ type: "agent_lost", participant }),
      announce: (frame) => this.#people.tellAll(frame),
    });
  }

  get isTaken(): boolean {
    return this.#floor.isTaken;
  }

  get isEmpty(): boolean {
    return this.#people.isEmpty;
  }

  get isInterruptible(): boolean {
    return this.#isRunning || this.#floor.isSaid;
  }

  /** The person's connection has started, or goes on behind a sleep, in place of an earlier one. */
  join(person: Person): void {
    const { participant, client } = person;
    const earlier = this.#people.find(participant);
    if (earlier && this.#people.remove(earlier)) this.#tell({ type: "left", participant });
    this.#people.add(person);
    this.#newest = person;
    for (const name of this.#lines.announced) {
      client.send({ type: "agent_ready", participant: name });
    }
    this.#tell({ type: "joined", participant });
  }

  /** Opens the lines to all agents, in the background. */
  connect(): void {
    const agents = this.#room.state.members.filter(({ kind }) => kind === "agent");
    for (const { name } of agents) this.#room.inBackground(this.prepare(name));
  }

  personOf(socket: WebSocket): Person | null {
    return this.#people.ofSocket(socket);
  }

  leave(person: Person): void {
    if (!this.#people.remove(person)) return;
    if (this.#newest === person) this.#newest = this.#people.all.at(-1) ?? null;
    this.#tell({ type: "left", participant: person.participant });
    if (this.isEmpty) this.#end("stopped");
  }

  /** The room is being removed, or nobody is left. */
  dispose(): void {
    for (const person of this.#people.all) this.#people.remove(person);
    this.#end("stopped");
    this.#floor.stop();
    // Whatever the floor has held up goes on without it.
    this.#room.kick();
  }

  /** Before a turn begins: its agent can be heard then, or its turn is text. Contract: never rejects. */
  async prepare(name: string): Promise<void> {
    if (this.isEmpty || this.#lines.isOpen(name)) return;
    await this.#lines.connect(name);
    this.#restLater();
  }

  /** An event of the room's log, as it is appended. */
  logged(event: LoggedEvent): void {
    if (this.isEmpty) return;
    const own = roomEventOf(event);
    if (own?.name === ROOM_TURN_ENDED) {
      const { participant } = own.value;
      if (this.#lines.isOpen(participant)) this.#tell({ type: "turn_ended", participant });
    }
    if (own?.name !== TEAM_UPDATED) return;
    const { left } = own.value;
    // Not within the append: whoever has waited for them may begin.
    queueMicrotask(() => left.forEach((name) => this.#dismiss(name)));
  }

  hear(person: Person, audio: Uint8Array): void {
    const { participant, client, credit, ear } = person;
    const { pcm, ms } = client.hear(audio);
    if (!credit.spendAudio(ms, Date.now())) {
      const detail = "audio came much faster than it can have been spoken";
      return this.close(person, { code: "too_much_audio", detail });
    }
    if (this.#floor.mayBeHeard(participant)) return ear.hear(pcm);
    this.#tell({ type: "refused_audio", participant });
  }

  heardBegin(participant: string): void {
    this.#tell({ type: "speech_began", participant });
  }

  /** @param audio Null for what was taken back. */
  heardEnd(participant: string, audio: HeardAudio | null): void {
    const person = this.#people.find(participant);
    const isWritten = audio !== null && person !== null && this.#turns.mayWrite(person);
    this.#tell({ type: "speech_ended", participant, is_written: isWritten });
    if (isWritten) this.#turns.write(person, audio);
  }

  commit({ ear }: Person): boolean {
    return ear.commit();
  }

  clear({ ear }: Person): void {
    ear.clear();
  }

  async type(
    { participant, actor }: Person,
    text: string,
    id: string = this.#room.newId("msg"),
  ): Promise<Result<unknown>> {
    this.#tell({ type: "cut_in", participant });
    const on_busy = this.#isRunning ? "interrupt" : "queue";
    return say(this.#room, { participant, actor }, { message: { id, text }, on_busy });
  }

  interrupt({ participant }: Person): void {
    this.#tell({ type: "cut_in", participant });
    this.#interruptDiscussion();
  }

  played({ participant }: Person, item: number, ms: number): void {
    this.#tell({ type: "played", participant, item, ms });
  }

  async stop(): Promise<void> {
    this.#tell({ type: "cut_in", participant: "" });
    await interruptRoom(this.#room, {});
    this.#end("stopped");
    for (const person of this.#people.all) {
      person.client.socket.close(END_CLOSE_CODE, "");
      this.leave(person);
    }
  }

  close(person: Person, refusal: Pick<Refusal, "code" | "detail">): void {
    closeSocket(person.client.socket, refusal);
    this.leave(person);
  }

  get #isRunning(): boolean {
    const { state } = this.#room;
    return state.discussion !== null && roomStatus(state) === "running";
  }

  #tell(...input: Parameters<FloorDriver["tell"]>): void {
    this.#floor.tell(...input);
    this.#people.note(this.#floor.state.next_item);
  }

  #perform(act: FloorAct, pcm: Uint8Array | null): void {
    switch (act.type) {
      case "send":
        return this.#people.send(act, (person) =>
          this.close(person, { code: "reader_too_slow", detail: SPENT }),
        );
      case "send_audio":
        return pcm ? this.#people.sendAudio(act.item, act.ms, pcm) : undefined;
      case "tell_agent": {
        const line = this.#lines.line(act.participant);
        if (act.frame.type === "cut_in") line?.cutIn();
        else line?.played(act.frame.item, act.frame.ms);
        return;
      }
      case "interrupt_discussion":
        return this.#interruptDiscussion();
      case "freed":
        return this.#room.kick();
      default:
        return act satisfies never;
    }
  }

  #takeFrame(participant: string, frame: LineFrame): void {
    switch (frame.type) {
      case "item":
        return this.#tell({
          type: "item_began",
          participant,
          agent_item: frame.item,
          reply_id: frame.reply_id,
        });
      case "reply_began":
      case "reply_said":
        return this.#tell({ type: frame.type, participant, reply_id: frame.reply_id });
      case "changed":
        return this.#room.note(participant);
      case "cut_settled":
        this.#tell({ type: "cut_over", participant });
        return this.#room.inBackground(this.#settleCut(participant));
      case "audio_end":
        return this.#tell({ type: "audio_ended", participant, agent_item: frame.item });
      case "audio_clear":
        return this.#tell({ type: "audio_cleared", participant, agent_item: frame.item });
      case "error":
        return this.#people.failAll(frame.code, `${participant}: ${frame.detail}`);
      default:
        return;
    }
  }

  /** The others hear what was heard: the room has it before anybody else begins. */
  async #settleCut(participant: string): Promise<void> {
    try {
      await this.#room.copy(participant);
    } catch (error) {
      console.warn("what was heard of a participant could not be copied; it will be", {
        error: String(error),
      });
    }
    this.#tell({ type: "cut_settled", participant });
  }

  #interruptDiscussion(): void {
    if (!this.#isRunning) return;
    this.#room.inBackground(interruptRoom(this.#room, {}));
  }

  /** Somebody has left the room. */
  #dismiss(name: string): void {
    this.#lines.end(name, "left");
    const person = this.#people.find(name);
    if (person) this.close(person, { code: "not_found", detail: "the person has left the room" });
  }

  #end(reason: string): void {
    clearTimeout(this.#rest);
    this.#lines.endAll(reason);
  }

  /** Lets the lines go when nobody has spoken for a while: what is open keeps the object awake. */
  #restLater(): void {
    clearTimeout(this.#rest);
    if (!this.#lines.areOpen) return;
    const quietMs = Date.now() - this.#floor.state.active_ms;
    const isBusy = this.isTaken || roomStatus(this.#room.state) === "running";
    if (!isBusy && quietMs >= this.#idleMs) return this.#lines.rest();
    const waitMs = isBusy ? this.#idleMs : this.#idleMs - quietMs;
    this.#rest = setTimeout(() => this.#restLater(), waitMs);
  }
}
