import type { RemoteAgent } from "../../protocol/a2a/remote-agent.ts";
import type { AgentUpdate } from "../../protocol/agents/contract.ts";
import { speechEndpointsOf } from "../../protocol/voice/contract.ts";
import { egressRules, type EgressBindings } from "../../outgoing/egress-rules.ts";
import { findRefusal } from "../../outgoing/outgoing.ts";
import { HttpError } from "../http-error.ts";

/**
 * Refuses an agent with a URL that the egress guard would refuse at each call, so that its author sees the reason.
 * Checks only the members that a change sets.
 */
export function checkAddresses(
  {
    model,
    fallback_models = [],
    allowed_models = [],
    tools = [],
    context = {},
    hooks = [],
    memory,
    voice,
    code_agent,
  }: AgentUpdate,
  env: EgressBindings,
): void {
  const models = [
    { definition: model, pointer: "#/model" },
    ...fallback_models.map((definition, index) => ({
      definition,
      pointer: `#/fallback_models/${index}`,
    })),
    ...allowed_models.map((definition, index) => ({
      definition,
      pointer: `#/allowed_models/${index}`,
    })),
    { definition: context.compression_model, pointer: "#/context/compression_model" },
  ];
  const addresses = [
    ...models.map(({ definition, pointer }) => ({
      address: definition && "base_url" in definition ? definition.base_url : undefined,
      pointer: `${pointer}/base_url`,
    })),
    ...models.flatMap(({ definition, pointer }) =>
      definition?.provider === "a2a" ? addressesOf(definition, pointer) : [],
    ),
    ...tools.flatMap((tool, index) =>
      tool.type === "a2a" ? addressesOf(tool, `#/tools/${index}`) : [],
    ),
    ...tools.flatMap((tool, index) => [
      {
        address: "url" in tool ? tool.url : undefined,
        pointer: `#/tools/${index}/url`,
      },
      {
        address: "check_url" in tool ? tool.check_url : undefined,
        pointer: `#/tools/${index}/check_url`,
      },
    ]),
    { address: memory?.embedding?.base_url, pointer: "#/memory/embedding/base_url" },
    ...(voice ? speechEndpointsOf(voice) : []).map(({ place, address }) => ({
      address,
      pointer: `#/voice/${place}/base_url`,
    })),
    {
      address: typeof code_agent === "object" ? code_agent?.url : undefined,
      pointer: "#/code_agent/url",
    },
    ...hooks.map((hook, index) => ({
      address: hook.type === "http" ? hook.url : undefined,
      pointer: `#/hooks/${index}/url`,
    })),
  ];
  const errors = addresses.flatMap(({ address, pointer }) => {
    const detail = address === undefined ? null : findRefusal(address, egressRules(env));
    return detail === null ? [] : [{ pointer, detail }];
  });
  if (errors.length === 0) return;
  const detail = "the agent names addresses that cannot be reached; `errors` says where";
  throw new HttpError("validation_failed", detail, { errors });
}

/** Addresses in the definition of an agent of another system; what its card names is the guard's business when it is asked. */
function addressesOf({ card, pinned_address }: RemoteAgent, pointer: string) {
  return [
    { address: "url" in card ? card.url : undefined, pointer: `${pointer}/card/url` },
    {
      address: "nacos" in card ? card.nacos.server : undefined,
      pointer: `${pointer}/card/nacos/server`,
    },
    { address: pinned_address, pointer: `${pointer}/pinned_address` },
  ];
}
