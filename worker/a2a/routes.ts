// Agents as servers of A2A: the binding JSON-RPC at one address, HTTP+JSON at those of its methods.
import * as z from "zod";

import type { AppContext, RouteHandler } from "../app-env.ts";
import { pathId } from "../middleware/check-path.ts";
import { readBody } from "../requests/read-body.ts";
import { a2aCardRoutes } from "./card-routes.ts";
import type { A2aMethodName } from "./methods.ts";
import { receiveRemotePush } from "./receive-remote-push.ts";
import { serveRest, serveRpc } from "./serve.ts";

type Members = Readonly<Record<string, unknown>>;

/** A method of HTTP+JSON. @param read What its request has, from its path, query and body. */
function rest(
  method: A2aMethodName,
  read: (context: AppContext) => unknown = () => ({}),
): RouteHandler {
  return (context) => serveRest(context, method, async () => read(context));
}

/** Of a name that is given twice the last value counts. */
function query({ req }: AppContext): Members {
  return req.query();
}

function body(context: AppContext): Promise<unknown> {
  return readBody(context, z.unknown());
}

/** The task of the path. */
function task(context: AppContext): Members {
  return { id: pathId(context, "a2a_task_id"), tenant: context.req.query("tenant") };
}

/** The task of the path, for requests that name another thing too. */
function parent(context: AppContext): Members {
  return { taskId: pathId(context, "a2a_task_id"), tenant: context.req.query("tenant") };
}

function config(context: AppContext): Members {
  return { ...parent(context), id: pathId(context, "a2a_config_id") };
}

/** The body with what the path says: a body of another kind is refused with its own words. */
async function bodyOfTask(context: AppContext): Promise<unknown> {
  const given = await body(context);
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  return isObject
    ? { ...parent(context), ...given, taskId: pathId(context, "a2a_task_id") }
    : given;
}

export const a2aRoutes = {
  callA2a: serveRpc,
  sendA2aMessage: rest("SendMessage", body),
  streamA2aMessage: rest("SendStreamingMessage", body),
  listA2aTasks: rest("ListTasks", query),
  readA2aTask: rest("GetTask", (context) => ({ ...query(context), ...task(context) })),
  // Clients send an empty object, or no body at all: the path has everything.
  cancelA2aTask: rest("CancelTask", task),
  subscribeA2aTask: rest("SubscribeToTask", task),
  followA2aTask: rest("SubscribeToTask", task),
  createA2aPushConfig: rest("CreateTaskPushNotificationConfig", bodyOfTask),
  listA2aPushConfigs: rest("ListTaskPushNotificationConfigs", (context) => ({
    ...query(context),
    ...parent(context),
  })),
  readA2aPushConfig: rest("GetTaskPushNotificationConfig", config),
  deleteA2aPushConfig: rest("DeleteTaskPushNotificationConfig", config),
  readA2aExtendedCard: rest("GetExtendedAgentCard", query),
  ...a2aCardRoutes,
  receiveRemotePush,
} satisfies Readonly<Record<string, RouteHandler>>;
