// Generates the configuration file of a bare workerd: the Workers of one peer, their objects on disk, and a network
// limited to this machine.
import type { WorkerBinding, WorkerService } from "./worker-service.ts";

/** Folder of the objects' databases, relative to the configuration. */
export const OBJECTS_FOLDER = "objects";

/** The text of the file. The code of service `name` is expected next to it as `<name>.js`. */
export function writeWorkerdConfig(services: readonly WorkerService[]): string {
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "internet", network = (allow = ["local", "private"])),
    (name = "disk", disk = (path = ${quote(OBJECTS_FOLDER)}, writable = true)),
${services.map(describeService).join("\n")}
  ],
  sockets = [
${services
  .filter(({ isPublic }) => isPublic)
  .map(describeSocket)
  .join("\n")}
  ],
);
`;
}

function describeSocket({ name }: WorkerService): string {
  return `    (name = ${quote(name)}, address = "127.0.0.1:0", http = (), service = ${quote(name)}),`;
}

function describeService(service: WorkerService): string {
  const { name, objects = [], bindings = [], compatibilityFlags = [], evictsObjects } = service;
  const namespaces = objects.map(
    // Idle objects are not evicted, unless that is measured: an eviction stops the whole process for some 20 ms, in the middle of
    // other streams.
    (className) =>
      `(className = ${quote(className)}, uniqueKey = ${quote(`${name}-${className}`)}, enableSql = true, preventEviction = ${evictsObjects !== true})`,
  );
  return `    (name = ${quote(name)}, worker = (
      modules = [(name = "index.js", esModule = embed ${quote(`${name}.js`)})],
      compatibilityDate = ${quote(service.compatibilityDate)},
      compatibilityFlags = [${compatibilityFlags.map(quote).join(", ")}],
      bindings = [${bindings.map(describeBinding).join(", ")}],
      durableObjectNamespaces = [${namespaces.join(", ")}],
      durableObjectStorage = ${objects.length > 0 ? `(localDisk = "disk")` : "(none = void)"},
    )),`;
}

function describeBinding(binding: WorkerBinding): string {
  return `(name = ${quote(binding.name)}, ${describeValue(binding)})`;
}

function describeValue(binding: WorkerBinding): string {
  switch (binding.type) {
    case "text":
      return `text = ${quote(binding.text)}`;
    case "objects":
      return `durableObjectNamespace = ${quote(binding.className)}`;
    case "service":
      return `service = ${quote(binding.service)}`;
    case "database":
      return `wrapped = (moduleName = "cloudflare-internal:d1-api", innerBindings = [(name = "fetcher", service = ${quote(binding.service)})])`;
    case "bucket":
      return `r2Bucket = ${quote(binding.service)}`;
    case "queue":
      return `queue = ${quote(binding.service)}`;
    default:
      return binding satisfies never;
  }
}

/** Printable ASCII has the same quoting in JSON and in this format. */
function quote(text: string): string {
  return JSON.stringify(text);
}
