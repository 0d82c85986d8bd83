// Agents as servers of A2A.
import type { RouteHandler } from "../app-env.ts";
import { notFound } from "../http-error.ts";

/** No agent is a server of A2A yet. */
const unknownAgent: RouteHandler = async () => {
  throw notFound("agent");
};

export const a2aRoutes = {
  callA2a: unknownAgent,
  sendA2aMessage: unknownAgent,
  streamA2aMessage: unknownAgent,
  listA2aTasks: unknownAgent,
  readA2aTask: unknownAgent,
  cancelA2aTask: unknownAgent,
  subscribeA2aTask: unknownAgent,
  followA2aTask: unknownAgent,
  createA2aPushConfig: unknownAgent,
  listA2aPushConfigs: unknownAgent,
  readA2aPushConfig: unknownAgent,
  deleteA2aPushConfig: unknownAgent,
  readA2aExtendedCard: unknownAgent,
  readA2aCard: unknownAgent,
  findA2aCard: unknownAgent,
  readA2aKeys: unknownAgent,
};
