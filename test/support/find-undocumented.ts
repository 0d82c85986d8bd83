// Parts of wrangler.toml for which the guide to deployment has no command or sentence.

/** The parts of wrangler's configuration that a deployer has to know. */
export interface DeploymentConfig {
  readonly compatibility_flags?: readonly string[];
  readonly compatibility_date?: string;
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly triggers?: { readonly crons?: readonly string[] };
  readonly d1_databases?: readonly {
    readonly binding: string;
    readonly database_name?: string;
    readonly migrations_dir?: string;
  }[];
  readonly queues?: {
    readonly producers?: readonly { readonly binding: string; readonly queue: string }[];
    readonly consumers?: readonly {
      readonly queue: string;
      readonly dead_letter_queue?: string;
    }[];
  };
  readonly durable_objects?: {
    readonly bindings: readonly { readonly name: string; readonly class_name: string }[];
  };
  readonly r2_buckets?: readonly { readonly binding: string; readonly bucket_name?: string }[];
  readonly assets?: { readonly directory?: string; readonly binding?: string };
  readonly ratelimits?: readonly { readonly name: string }[];
  readonly [section: string]: unknown;
}

/** Sections that are read here, or that say nothing a deployer has to do. */
const KNOWN_SECTIONS = new Set(
  "name main compatibility_date compatibility_flags keep_names exports observability vars triggers d1_databases queues durable_objects ratelimits r2_buckets assets build".split(
    " ",
  ),
);

/**
 * The parts without their text, such as `queue reprise-webhooks: npx wrangler queues create reprise-webhooks`.
 * @param sections The top-level keys of the file.
 * @param secrets The names of the secrets that the Worker reads.
 */
export function findUndocumented(
  page: string,
  config: DeploymentConfig,
  sections: readonly string[],
  secrets: readonly string[],
): readonly string[] {
  const wanted: [what: string, text: string][] = [];
  for (const secret of secrets) {
    wanted.push([`secret ${secret}`, `npx wrangler secret put ${secret}\n`]);
    wanted.push([`secret ${secret}`, `| \`${secret}\` |`]);
  }
  for (const name of Object.keys(config.vars ?? {}))
    wanted.push([`variable ${name}`, `| \`${name}\` |`]);
  for (const flag of config.compatibility_flags ?? [])
    wanted.push([`flag ${flag}`, `- \`${flag}\`: `]);
  if (config.assets) {
    wanted.push(["folder of the assets", `\`${config.assets.directory}\``]);
    wanted.push(["binding of the assets", `\`${config.assets.binding}\``]);
    wanted.push(["command for the assets", "npm run build"]);
  }
  if (config.compatibility_date) wanted.push(["compatibility date", "- `compatibility_date`: "]);
  for (const cron of config.triggers?.crons ?? [])
    wanted.push([`cron ${cron}`, `crons = ["${cron}"]`]);
  for (const { binding, database_name: name, migrations_dir: folder } of config.d1_databases ??
    []) {
    wanted.push([`database ${name}`, `npx wrangler d1 create ${name}\n`]);
    wanted.push([`database ${binding}`, `the binding stays \`${binding}\``]);
    wanted.push([
      `migrations of ${binding}`,
      `npx wrangler d1 migrations apply ${binding} --remote\n`,
    ]);
    wanted.push([`migrations of ${binding}`, `are in \`${folder}/\``]);
  }
  const { producers = [], consumers = [] } = config.queues ?? {};
  const queues = [
    ...producers.map(({ queue }) => queue),
    ...consumers.flatMap(({ queue, dead_letter_queue: dead }) => [queue, ...(dead ? [dead] : [])]),
  ];
  for (const queue of new Set(queues)) {
    wanted.push([`queue ${queue}`, `npx wrangler queues create ${queue}\n`]);
    wanted.push([`queue ${queue}`, `| \`${queue}\` |`]);
  }
  for (const { binding, queue } of producers) {
    wanted.push([`producer ${binding}`, `| \`${queue}\` | the binding \`${binding}\` |`]);
  }
  for (const { name, class_name: type } of config.durable_objects?.bindings ?? []) {
    wanted.push([`object ${name}`, `\`${name}\` (class \`${type}\``]);
  }
  for (const { binding, bucket_name: name } of config.r2_buckets ?? []) {
    wanted.push([`bucket ${name}`, `npx wrangler r2 bucket create ${name}\n`]);
    wanted.push([`bucket ${binding}`, `The binding \`${binding}\` `]);
  }
  for (const { name } of config.ratelimits ?? [])
    wanted.push([`rate limit ${name}`, `\`${name}\``]);
  const undocumented = wanted.filter(([, text]) => !page.includes(text));
  return [
    ...undocumented.map(([what, text]) => `${what}: ${text.trim()}`),
    ...sections.filter((name) => !KNOWN_SECTIONS.has(name)).map((name) => `section ${name}`),
  ];
}
