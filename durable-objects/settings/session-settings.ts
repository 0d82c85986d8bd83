// A session's settings: its agent's version, permission, credentials, and the client's metadata. All of it is pinned in
// the object, so that a running reply does not need D1.
import { isSameJson } from "../../agent/json/is-same-json.ts";
import {
  readAgentSnapshot,
  readReplacement,
  type AgentSnapshot,
} from "../../storage/agents/agent-snapshot.ts";
import { openPinnedCredentials } from "../../storage/credentials/pinned-credentials.ts";
import { masterKeyOf, type MasterKeyBindings } from "../../storage/secrets/deployment-secrets.ts";
import { readTenantKey } from "../../storage/credentials/tenant-key-storage.ts";
import { SKILL_LOOKUP_MS } from "../../protocol/skills/limits.ts";
import { AGENT_REFRESH_MS } from "../../protocol/replies/limits.ts";
import { NO_SKILLS, keepPinnedSkills, skillReferences } from "../../protocol/skills/skill.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import { readPinnedSkills } from "../../storage/skills/pinned-skills.ts";
import { createSecretSource, type SecretSource } from "../../outgoing/secret-source.ts";
import type { SessionInit, SessionPatch } from "../api/session-api.ts";
import type { KeptVersion } from "../api/tenant-api.ts";
import { SessionCredentials } from "./session-credentials.ts";
import { readReplyInit, rewriteReplyInit, rewriteSessionInit } from "../tables/session-tables.ts";

/** Turns that a late call of a lost room may still name: each begins when the one before has ended. */
const MAX_ENDED_TURNS = 8;

export class SessionSettings {
  readonly #sql: SqlStorage;
  readonly #env: MasterKeyBindings & Pick<Env, "DB">;
  readonly #credentials: SessionCredentials;
  #init: SessionInit;
  /** The settings of the open reply where they differ from `#init`; null where they do not. */
  #replyInit: SessionInit | null;
  #isReplyInitLost: boolean;

  constructor(sql: SqlStorage, env: MasterKeyBindings & Pick<Env, "DB">, init: SessionInit) {
    this.#sql = sql;
    this.#env = env;
    this.#credentials = new SessionCredentials(sql, env.DB);
    this.#init = init;
    const begun = readReplyInit(sql);
    this.#replyInit = begun === "unreadable" ? null : begun;
    this.#isReplyInitLost = begun === "unreadable";
  }

  /** The open reply's stored settings cannot be read: with the session's own it would continue as another agent. */
  get isReplyInitLost(): boolean {
    return this.#isReplyInitLost;
  }

  /** The settings of the next reply. */
  get init(): SessionInit {
    return this.#init;
  }

  /**
   * The settings that the open reply began with, however long it has waited since. Without meaning while none is open.
   */
  get replyInit(): SessionInit {
    return this.#replyInit ?? this.#init;
  }

  /**
   * Part of the transaction in which a reply starts: pins the session's current settings, and the tools and context of
   * its client, for that reply.
   */
  beginReply(client?: SessionInit["client"]): void {
    const { left_version, ...init } = this.#init;
    if (left_version !== undefined) {
      rewriteSessionInit(this.#sql, init);
      this.#init = init;
    }
    this.#holdForReply(client ? { ...this.#init, client } : null);
  }

  /**
   * Part of the transaction in which a run continues the open reply: its tools and context replace the earlier ones.
   */
  continueReply(client: SessionInit["client"]): void {
    if (!isSameJson(client, this.replyInit.client)) {
      this.#holdForReply({ ...this.replyInit, client });
    }
  }

  update({ metadata, agent_version, snapshot, ...settings }: SessionPatch): void {
    let next = changeSettings(this.#init, settings);
    if (metadata) next = { ...next, metadata };
    if (agent_version !== undefined) {
      const { left_version: _, ...kept } = next;
      next = { ...kept, follows_latest: agent_version === "latest" };
    }
    this.#write(snapshot ? pin(next, snapshot) : next);
  }

  /** Part of a transaction: the call for which the session was opened has ended. */
  endCall(): void {
    const { parent } = this.#init;
    if (parent && !parent.is_over)
      this.#write({ ...this.#init, parent: { ...parent, is_over: true } });
  }

  /** Part of the commit of the reply's start. */
  beginRoomTurn(turn: { readonly turn_id: string; readonly reply_id: string }): void {
    const { room } = this.#init;
    if (!room) return;
    const turns = [...(room.turns ?? []), turn].slice(-MAX_ENDED_TURNS);
    this.#write({ ...this.#init, room: { ...room, turns } });
  }

  /** Part of a transaction: the room has ended the turn. */
  endRoomTurn(turnId: string): void {
    const { room } = this.#init;
    if (!room || room.ended_turns?.includes(turnId)) return;
    const ended_turns = [...(room.ended_turns ?? []), turnId].slice(-MAX_ENDED_TURNS);
    this.#write({ ...this.#init, room: { ...room, ended_turns } });
  }

  /** Whose memories the next reply recalls: people of a room come and go. */
  setEndUser(end_user_id: string | null): void {
    if (this.#init.end_user_id !== end_user_id) this.#write({ ...this.#init, end_user_id });
  }

  /** The version that the session keeps; null when it follows the newest one. */
  get kept(): KeptVersion | null {
    const { follows_latest, agent_id, agent_version } = this.#init;
    return follows_latest ? null : { agent_id, version: agent_version };
  }

  /**
   * Before a reply begins: takes the agent's newest version when the session follows it, or has a retired one, and the
   * versions that its skills have now. Contract: never waits long: when D1 does not answer, what is pinned stays.
   * @param mayBeRetired Whether D1 has to be asked about the version that the session keeps.
   */
  async followLatest(mayBeRetired: Promise<boolean> = Promise.resolve(true)): Promise<void> {
    if (this.#init.follows_latest) {
      await this.#followAgent();
      return this.#followSkills();
    }
    const [isDue] = await Promise.all([mayBeRetired, this.#followSkills()]);
    if (isDue && (await this.#followAgent())) await this.#followSkills();
  }

  /** @returns Whether the session has another version now. */
  async #followAgent(): Promise<boolean> {
    const { follows_latest = false, tenant_id, agent_id, agent_version } = this.#init;
    try {
      const snapshot = await Promise.race([
        follows_latest
          ? readAgentSnapshot(this.#env.DB, tenant_id, agent_id, "latest")
          : readReplacement(this.#env.DB, tenant_id, agent_id, agent_version),
        scheduler.wait(AGENT_REFRESH_MS).then(() => null),
      ]);
      const { agent_version: now, follows_latest: follows = false } = this.#init;
      // The session may have got another version meanwhile.
      const isNewer =
        snapshot && snapshot.version !== now && now === agent_version && follows === follows_latest;
      if (!isNewer) return false;
      const next = pin(this.#init, snapshot);
      const left_version = this.#init.left_version ?? now;
      this.#write(follows_latest ? next : { ...next, left_version });
      return true;
    } catch (error) {
      console.warn("could not read the agent's newest version; keeping the pinned one", {
        error: String(error),
      });
      return false;
    }
  }

  /** One query, and nothing for an agent without skills. */
  async #followSkills(): Promise<void> {
    const { tenant_id, agent, skills: before = NO_SKILLS } = this.#init;
    const references = skillReferences(agent.skills);
    if (references.length === 0 && isSameJson(before, NO_SKILLS)) return;
    const database = openDatabase(this.#env.DB);
    try {
      const reading = readPinnedSkills(database, tenant_id, references, before);
      const skills = await withinDeadline(reading, SKILL_LOOKUP_MS).catch((error: unknown) => {
        console.warn("skills could not be looked up; keeping the pinned versions", {
          error: String(error),
        });
        return keepPinnedSkills(references, before);
      });
      if (!isSameJson(skills, before)) this.#write({ ...this.#init, skills });
    } catch (error) {
      // The session was erased meanwhile, or the disk is full.
      console.warn("the versions of skills could not be stored", { error: String(error) });
    }
  }

  /**
   * Asks D1 whether the secrets that an agent names are still valid, and takes over what has changed. Contract: never
   * rejects, and never waits long.
   * @param init The settings with the agent; the open reply's when left out. @returns Whether they may be used.
   */
  confirmCredentials(
    init: Pick<SessionInit, "agent" | "hooks" | "tools"> = this.replyInit,
  ): Promise<boolean> {
    return this.#credentials.confirm(this, init);
  }

  /**
   * Stores what {@link confirmCredentials} has found. The agent's version stays, so it applies to an open reply, too.
   */
  takeCredentials(take: (init: SessionInit) => SessionInit): void {
    const init = take(this.#init);
    if (init !== this.#init) {
      rewriteSessionInit(this.#sql, init);
      this.#init = init;
    }
    if (this.#replyInit) this.#holdForReply(take(this.#replyInit));
  }

  /**
   * The secrets that an agent names, for the hosts that each is bound to.
   * @param isConfirmed The result of {@link confirmCredentials}; when false, no secret is available.
   * @param whose The settings with the agent: the open reply's when left out, or the next reply's.
   * @throws when the master key does not fit.
   */
  async openSecrets(
    isConfirmed: boolean,
    whose: "replyInit" | "init" = "replyInit",
  ): Promise<SecretSource> {
    if (!isConfirmed) return createSecretSource(null);
    const init = this[whose];
    const opened = await openPinnedCredentials(init, masterKeyOf(this.#env), () =>
      readTenantKey(this.#env.DB, init.tenant_id),
    );
    return createSecretSource(opened);
  }

  #write(init: SessionInit): void {
    // A reply may be open, or may begin while the newest version is being read: it keeps its agent.
    const { agent, hooks, skills, tools } = this.#init;
    const isOther =
      init.agent !== agent ||
      init.hooks !== hooks ||
      init.skills !== skills ||
      init.tools !== tools;
    if (isOther) this.#holdForReply(this.replyInit);
    // Written before it is in memory: when the write throws, nothing has changed.
    rewriteSessionInit(this.#sql, init);
    this.#init = init;
  }

  #holdForReply(init: SessionInit | null): void {
    if (init === this.#replyInit && !this.#isReplyInitLost) return;
    rewriteReplyInit(this.#sql, init);
    this.#replyInit = init;
    this.#isReplyInitLost = false;
  }
}

/** Null removes a mode or a time zone. */
function changeSettings(
  init: SessionInit,
  { title, permission, working_directories, time_zone, hooks, tools }: SessionPatch,
): SessionInit {
  return {
    ...init,
    ...(title !== undefined && { title: title ?? undefined }),
    ...(permission && { permission: { mode: permission.mode ?? undefined } }),
    ...(working_directories && { working_directories }),
    ...(hooks && { hooks: { list: hooks, version: (init.hooks?.version ?? 0) + 1 } }),
    ...(tools && { tools: tools.length > 0 ? tools : undefined }),
    ...(time_zone !== undefined && { time_zone: time_zone ?? undefined }),
  };
}

function pin(init: SessionInit, snapshot: AgentSnapshot): SessionInit {
  const { version: agent_version, definition: agent, ...pinned } = snapshot;
  const { credentials, credential_hosts, tenant_key } = pinned;
  return { ...init, agent_version, agent, credentials, credential_hosts, tenant_key };
}
