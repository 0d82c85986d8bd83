// Words of fields that the schemas of this room have.
export const HOOK_WORDS = {
  "Agent.hooks":
    "Hooks of all its sessions, behind each session's own. In the order in which they run.",
  "SessionHooksWrite.hooks": "All of them, in the order in which they run.",
  "SessionHooks.hooks": "The session's own, in the order in which they run.",
  "SessionHooks.agent_hooks": "Those of its agent, which run behind them.",
  "SessionHooks.version": "The number of changes of the session's own.",
  "SessionHooks.warnings": "The session's own that say nothing. Left out when there are none.",
  "HttpHook.name": "Unique among the hooks of its point.",
  "HttpHook.point": "Where it is asked.",
  "HttpHook.url": "The address that questions are posted to.",
  "HttpHook.timeout_ms": "Milliseconds in which it has to answer. 5,000 when left out.",
  "HttpHook.on_failure":
    "Without a valid answer in time: `open` goes on as if there were no hook, `closed` ends the reply. `closed` when left out.",
  "HttpHook.signing_credential_id":
    "A credential of type `tool` whose secret is `whsec_…`: questions are signed with it as Standard Webhooks are.",
  "CodeHook.name": "The name that it is deployed under.",
  "CodeHook.point":
    "Where it is called: one of the points of HTTP hooks, or a layer around the loop.",
  "CodeHook.timeout_ms": "Milliseconds in which it has to answer. 5,000 when left out.",
  "CodeHook.on_failure":
    "Without a valid answer in time: `open` goes on as if there were no hook, `closed` ends the reply. `closed` when left out.",
} as const;
