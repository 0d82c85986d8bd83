// The lines to all agents of a room: opened together with the first person, let go when nobody speaks, and opened again by the
// next turn.
import type { RoomOwnFrame } from "../../protocol/voice/frames.ts";
import type { Actor } from "../api/session-api.ts";
import { voiceUrl } from "../api/voice-request.ts";
import type { OpenRoom } from "./open-room.ts";
import { participantStub } from "./participant-stub.ts";
import { AgentLine, type LineFrame } from "./agent-line.ts";

interface LinesOptions {
  readonly room: OpenRoom;
  /** The person who speaks, or has connected last. */
  readonly actor: () => Actor | null;
  readonly frame: (participant: string, frame: LineFrame) => void;
  readonly audio: (participant: string, item: number, pcm: Uint8Array) => void;
  readonly lost: (participant: string) => void;
  readonly announce: (frame: RoomOwnFrame) => void;
}

const RIGHTS = { may_confirm: false, may_give_results: false, may_interrupt: true } as const;

export class AgentLines {
  readonly #options: LinesOptions;
  readonly #lines = new Map<string, AgentLine>();
  /** Agents of whom people were told that they can be heard. */
  readonly #announced = new Set<string>();

  constructor(options: LinesOptions) {
    this.#options = options;
  }

  get areOpen(): boolean {
    return this.#lines.size > 0;
  }

  get announced(): readonly string[] {
    return [...this.#announced];
  }

  isOpen(name: string): boolean {
    return this.#lines.get(name)?.isOpen ?? false;
  }

  line(name: string): AgentLine | undefined {
    return this.#lines.get(name);
  }

  /** Contract: never rejects. @returns Whether the agent can be heard. */
  async connect(name: string): Promise<boolean> {
    const line = this.#lines.get(name) ?? this.#open(name);
    if (!line) return false;
    const isReady = await line.ready;
    if (!isReady || this.#lines.get(name) !== line) return false;
    if (!this.#announced.has(name)) {
      this.#announced.add(name);
      this.#options.announce({ type: "agent_ready", participant: name });
    }
    return true;
  }

  /** Nobody has spoken for a while: the agents stay ready. */
  rest(): void {
    for (const line of this.#lines.values()) line.close();
    this.#lines.clear();
  }

  /** The agent is not heard any more. */
  end(name: string, reason: string): void {
    this.#lines.get(name)?.close();
    // Whoever waits for the end of what it says waits no more.
    if (this.#lines.delete(name)) this.#options.lost(name);
    if (!this.#announced.delete(name)) return;
    this.#options.announce({ type: "agent_ended", participant: name, reason });
  }

  endAll(reason: string): void {
    for (const name of new Set([...this.#lines.keys(), ...this.#announced])) this.end(name, reason);
  }

  #open(name: string): AgentLine | null {
    const { room, actor, frame, audio } = this.#options;
    const { env, init, table } = room;
    const session_id = table.member(name)?.session_id;
    const person = actor();
    if (!session_id || !person) return null;
    const opening = { actor: person, rights: RIGHTS, reader: {}, by_room: true } as const;
    const line: AgentLine = new AgentLine({
      open: () =>
        participantStub(env, init.tenant_id, session_id).fetch(voiceUrl(opening), {
          headers: { Upgrade: "websocket" },
        }),
      frame: (told) => frame(name, told),
      audio: (item, pcm) => audio(name, item, pcm),
      lost: (reason) => this.#lose(name, line, reason),
    });
    this.#lines.set(name, line);
    return line;
  }

  /** Its next turn opens another one. */
  #lose(name: string, line: AgentLine, reason: string): void {
    if (this.#lines.get(name) !== line) return;
    this.#lines.delete(name);
    this.#options.lost(name);
    // One that was never ready is told of, too: an app waits for it.
    this.#announced.delete(name);
    this.#options.announce({ type: "agent_ended", participant: name, reason });
  }
}
