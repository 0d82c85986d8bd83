CREATE TABLE `usage_days` (
	`tenant_id` text NOT NULL,
	`day` text NOT NULL,
	`agent_id` text NOT NULL,
	`model_name` text NOT NULL,
	`replies` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cache_input_tokens` integer NOT NULL,
	`cache_creation_input_tokens` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `day`, `agent_id`, `model_name`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `usage_days` (`tenant_id`, `day`, `agent_id`, `model_name`, `replies`, `input_tokens`, `output_tokens`, `cache_input_tokens`, `cache_creation_input_tokens`) SELECT `tenant_id`, `day`, `agent_id`, `model_name`, count(*), sum(`input_tokens`), sum(`output_tokens`), sum(`cache_input_tokens`), sum(`cache_creation_input_tokens`) FROM `usage` GROUP BY `tenant_id`, `day`, `agent_id`, `model_name`;--> statement-breakpoint
CREATE TABLE `__new_usage` (
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
	PRIMARY KEY(`tenant_id`, `session_id`, `reply_id`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_usage` (`tenant_id`, `session_id`, `reply_id`, `entry`, `agent_id`, `agent_version`, `end_user_id`, `model_name`, `day`, `input_tokens`, `output_tokens`, `cache_input_tokens`, `cache_creation_input_tokens`) SELECT `tenant_id`, `session_id`, `reply_id`, `entry`, `agent_id`, `agent_version`, `end_user_id`, `model_name`, `day`, `input_tokens`, `output_tokens`, `cache_input_tokens`, `cache_creation_input_tokens` FROM `usage`;--> statement-breakpoint
DROP TABLE `usage`;--> statement-breakpoint
ALTER TABLE `__new_usage` RENAME TO `usage`;