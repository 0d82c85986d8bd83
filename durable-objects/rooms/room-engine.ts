// Does what is due in a room: steps of the log are made one by one, each in the state that the one before has left; steps
// of sessions run beside each other, one of a kind for each participant, and may be repeated whenever a machine was lost.
import { nextSteps, roomStatus } from "../../agent/rooms/next-steps.ts";
import type { CommittedStep, OutsideStep, RoomStep } from "../../agent/rooms/room-step.ts";
import { stepEvents } from "../../agent/rooms/step-events.ts";
import { MAX_STEP_RETRY_MS, STEP_RETRY_MS } from "./limits.ts";
import type { OpenRoom } from "./open-room.ts";
import { inputRequests } from "./view-room.ts";
import { InputTeller } from "./tell-inputs.ts";
import { TriggerTeller } from "./tell-triggers.ts";
import { performStep } from "./perform-step.ts";
import type { RoomCopies } from "./room-copies.ts";
import { waitsForFloor } from "./waits-for-floor.ts";
import { wholeMessage } from "./whole-message.ts";

interface FailedStep {
  readonly tries: number;
  readonly atMs: number;
}

export class RoomEngine {
  readonly #room: OpenRoom;
  readonly #copies: RoomCopies;
  /** Steps under way, by kind and participant. */
  readonly #steps = new Set<string>();
  readonly #failed = new Map<string, FailedStep>();
  readonly #inputs: InputTeller;
  readonly #triggers: TriggerTeller;
  #isDriving = false;
  #isKicked = false;

  constructor(room: OpenRoom, copies: RoomCopies) {
    this.#room = room;
    this.#copies = copies;
    const { room_id: id, tenant_id } = room.init;
    this.#inputs = new InputTeller({ database: room.env.DB, id, tenant_id });
    this.#triggers = new TriggerTeller(room);
  }

  /** The earliest time at which a step that has failed is tried again; null for none. */
  get retryAtMs(): number | null {
    const times = [...this.#failed.values()].map(({ atMs }) => atMs);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** In the background. */
  kick(): void {
    this.#isKicked = true;
    if (this.#isDriving || this.#isOver) return;
    this.#isDriving = true;
    this.#room.inBackground(this.#drive());
  }

  /** As {@link kick}, for an object that was woken: also what runs is followed again. */
  resume(): void {
    for (const { participant } of this.#room.state.replies) this.#copies.follow(participant);
    for (const { participant, kind, ended } of this.#room.state.discussion?.turns ?? []) {
      if (kind !== "person" && ended === null) this.#copies.follow(participant);
    }
    const { speechUsage } = this.#room;
    if (speechUsage.isOpen) this.#room.inBackground(speechUsage.tell());
    this.kick();
  }

  get #isOver(): boolean {
    const { log, table } = this.#room;
    return log.isClosed || log.hasFailed || table.phase !== "open";
  }

  /** Contract: never rejects. */
  async #drive(): Promise<void> {
    try {
      while (this.#isKicked && !this.#isOver) {
        this.#isKicked = false;
        const { log } = this.#room;
        const before = log.lastSeq;
        while (this.#commitNext());
        // All of them are one commit: each has followed from the one before.
        if (log.lastSeq > before) log.append([], { isLast: true });
        // Steps outside follow from what is on disk.
        await log.settled();
        this.#begin();
      }
    } catch (error) {
      console.error("a room could not go on; its alarm will look", { error: String(error) });
    } finally {
      this.#isDriving = false;
    }
    if (this.#isOver) return;
    await Promise.all([this.#inputs.tell(inputRequests(this.#room)), this.#triggers.tell()]);
    if (roomStatus(this.#room.state) === "idle") await this.#room.reportSize();
  }

  #commitNext(): boolean {
    if (this.#isOver) return false;
    const { state, newId, replies, messages, log } = this.#room;
    const nowMs = Date.now();
    const step = nextSteps(state, nowMs).find(isCommitted);
    if (!step || (waitsForFloor(step) && this.#room.floor?.isTaken)) return false;
    const drafts = stepEvents(step, state, {
      nowMs,
      newTurnId: () => newId("trn"),
      messageOf: (id) => {
        const stored = replies.find(id) ?? messages.find(id)?.message ?? null;
        return stored && wholeMessage(messages, stored);
      },
    });
    if (drafts.length === 0) throw new Error(`the step ${step.type} has no events`);
    log.append(drafts, { commit: "with_next" });
    return true;
  }

  #begin(): void {
    const nowMs = Date.now();
    for (const step of nextSteps(this.#room.state, nowMs)) {
      if (isCommitted(step)) continue;
      if (waitsForFloor(step) && this.#room.floor?.isTaken) continue;
      const key = keyOf(step);
      const failed = this.#failed.get(key);
      if (this.#steps.has(key) || (failed && failed.atMs > nowMs)) continue;
      this.#steps.add(key);
      this.#room.inBackground(this.#perform(step, key, failed?.tries ?? 0));
    }
  }

  /** Contract: never rejects. */
  async #perform(step: OutsideStep, key: string, tries: number): Promise<void> {
    try {
      await performStep(this.#room, this.#copies, { step, tries });
      if (this.#isDue(step)) this.#putOff(key, tries);
      else this.#failed.delete(key);
    } catch (error) {
      console.warn("a step of a room has failed; will retry", {
        step: step.type,
        error: String(error),
      });
      this.#putOff(key, tries);
    } finally {
      this.#steps.delete(key);
      this.kick();
    }
  }

  #isDue(step: OutsideStep): boolean {
    const text = JSON.stringify(step);
    return nextSteps(this.#room.state, Date.now()).some((one) => JSON.stringify(one) === text);
  }

  #putOff(key: string, tries: number): void {
    const waitMs = Math.min(STEP_RETRY_MS * 2 ** tries, MAX_STEP_RETRY_MS);
    this.#failed.set(key, { tries: tries + 1, atMs: Date.now() + waitMs });
    this.#room.inBackground(scheduler.wait(waitMs).then(() => this.kick()));
  }
}

function isCommitted(step: RoomStep): step is CommittedStep {
  return step.type !== "run_turn" && step.type !== "stop_reply" && step.type !== "deliver";
}

function keyOf({ type, participant }: OutsideStep): string {
  return `${type} ${participant}`;
}
