import { app } from "./app.ts";

export { SessionObject } from "../durable-objects/session-object.ts";

export default app;
