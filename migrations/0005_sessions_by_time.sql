DROP INDEX `session_states_status`;--> statement-breakpoint
ALTER TABLE `session_states` ADD `session_created_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `session_states` SET `session_created_at` = (SELECT `created_at` FROM `sessions` WHERE `sessions`.`id` = `session_states`.`session_id`) WHERE `session_id` IN (SELECT `id` FROM `sessions`);--> statement-breakpoint
CREATE INDEX `session_states_status` ON `session_states` (`tenant_id`,`status`,`session_created_at`,`session_id`);--> statement-breakpoint
DROP INDEX `sessions_tenant`;--> statement-breakpoint
DROP INDEX `sessions_agent`;--> statement-breakpoint
DROP INDEX `sessions_end_user`;--> statement-breakpoint
CREATE INDEX `sessions_tenant` ON `sessions` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_agent` ON `sessions` (`tenant_id`,`agent_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_end_user` ON `sessions` (`tenant_id`,`end_user_id`,`created_at`,`id`);