CREATE TABLE `pending_calls` (
	`tenant_id` text NOT NULL,
	`session_id` text NOT NULL,
	`tool_call_id` text NOT NULL,
	`entry` integer NOT NULL,
	`reply_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`end_user_id` text,
	`kind` text NOT NULL,
	`tool_name` text NOT NULL,
	`call` text,
	`asked_at` text NOT NULL,
	`expires_at` text,
	PRIMARY KEY(`session_id`, `tool_call_id`)
);
--> statement-breakpoint
CREATE INDEX `pending_calls_tenant` ON `pending_calls` (`tenant_id`,`asked_at`,`session_id`,`tool_call_id`);--> statement-breakpoint
CREATE TABLE `inbound_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`sealed` text NOT NULL,
	`old_sealed` text,
	`old_secret_expires_at` text,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `inbound_endpoints_tenant` ON `inbound_endpoints` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `inbound_messages` (
	`endpoint_id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`tenant_id` text NOT NULL,
	`received_at` text NOT NULL,
	PRIMARY KEY(`endpoint_id`, `webhook_id`)
);
--> statement-breakpoint
CREATE INDEX `inbound_messages_received` ON `inbound_messages` (`endpoint_id`,`received_at`);--> statement-breakpoint
CREATE TABLE `webhook_announcements` (
	`tenant_id` text NOT NULL,
	`session_id` text NOT NULL,
	`tool_call_id` text NOT NULL,
	`kind` text NOT NULL,
	`entry` integer NOT NULL,
	PRIMARY KEY(`session_id`, `tool_call_id`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`delivery_id` text NOT NULL,
	`attempt` integer NOT NULL,
	`tenant_id` text NOT NULL,
	`at` text NOT NULL,
	`status` integer,
	`error` text,
	`duration_ms` integer NOT NULL,
	PRIMARY KEY(`delivery_id`, `attempt`)
);
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`endpoint_id` text NOT NULL,
	`message_id` text NOT NULL,
	`type` text NOT NULL,
	`payload` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`attempts_before` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` text,
	`created_at` text NOT NULL,
	`finished_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_message` ON `webhook_deliveries` (`endpoint_id`,`message_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_endpoint` ON `webhook_deliveries` (`tenant_id`,`endpoint_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`tenant_id`,`next_attempt_at`) WHERE "webhook_deliveries"."status" = 'pending';--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`url` text NOT NULL,
	`description` text,
	`events` text NOT NULL,
	`sealed` text NOT NULL,
	`old_sealed` text,
	`old_secret_expires_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`disabled_at` text,
	`disabled_reason` text,
	`failing_since` text
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_tenant` ON `webhook_endpoints` (`tenant_id`,`id`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `forked_from` text;