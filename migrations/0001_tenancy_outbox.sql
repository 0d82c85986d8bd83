CREATE TABLE `credentials` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`sealed` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `credentials_tenant` ON `credentials` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `messages` (
	`tenant_id` text NOT NULL,
	`session_id` text NOT NULL,
	`id` text NOT NULL,
	`reply_id` text NOT NULL,
	`entry` integer NOT NULL,
	`role` text NOT NULL,
	`text` text,
	`body` text,
	`body_bytes` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`session_id`, `id`)
);
--> statement-breakpoint
CREATE TABLE `session_states` (
	`session_id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`entry` integer NOT NULL,
	`status` text NOT NULL,
	`agent_version` integer NOT NULL,
	`reply_id` text NOT NULL,
	`reply_status` text NOT NULL,
	`pending` integer NOT NULL,
	`cursor` integer NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `session_states_status` ON `session_states` (`tenant_id`,`status`,`session_id`);--> statement-breakpoint
CREATE TABLE `tenant_keys` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`wrapped` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `usage` (
	`tenant_id` text NOT NULL,
	`session_id` text NOT NULL,
	`reply_id` text NOT NULL,
	`entry` integer NOT NULL,
	`agent_id` text NOT NULL,
	`agent_version` integer NOT NULL,
	`end_user_id` text,
	`model_name` text NOT NULL,
	`day` text NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cache_input_tokens` integer NOT NULL,
	`cache_creation_input_tokens` integer NOT NULL,
	PRIMARY KEY(`session_id`, `reply_id`)
);
--> statement-breakpoint
CREATE INDEX `usage_tenant` ON `usage` (`tenant_id`,`day`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `last_used_at` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `old_hash` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `old_secret_expires_at` text;--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_old_hash` ON `api_keys` (`old_hash`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `follows_latest` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `deleted_at` text;