-- Sessions that calls of agents begin: whose they are. In the share of an end user they count as bytes and replies, and not as
-- sessions; without an end user all of that counts for the session at the top.
ALTER TABLE `sessions` ADD `parent_session_id` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `root_session_id` text;--> statement-breakpoint
CREATE INDEX `sessions_parent` ON `sessions` (`tenant_id`,`parent_session_id`,`created_at`,`id`) WHERE "sessions"."parent_session_id" IS NOT NULL;
--> statement-breakpoint
DROP TRIGGER `sessions_held`;
--> statement-breakpoint
DROP TRIGGER `sessions_unheld`;
--> statement-breakpoint
DROP TRIGGER `session_states_held`;
--> statement-breakpoint
DROP TRIGGER `session_states_reheld`;
--> statement-breakpoint
DROP TRIGGER `session_states_unheld`;
--> statement-breakpoint
CREATE TRIGGER `sessions_held` AFTER INSERT ON `sessions` BEGIN
  INSERT INTO `end_user_counts` (`tenant_id`, `holder`, `sessions`, `stored_bytes`)
    VALUES (NEW.`tenant_id`, CASE WHEN NEW.`end_user_id` IS NULL THEN 's:' || coalesce(NEW.`root_session_id`, NEW.`id`) ELSE 'u:' || NEW.`end_user_id` END, NEW.`parent_session_id` IS NULL, coalesce((SELECT `bytes` FROM `session_states` WHERE `session_id` = NEW.`id`), 0))
    ON CONFLICT DO UPDATE SET `sessions` = `sessions` + excluded.`sessions`, `stored_bytes` = `stored_bytes` + excluded.`stored_bytes`;
END;
--> statement-breakpoint
CREATE TRIGGER `sessions_unheld` AFTER DELETE ON `sessions` BEGIN
  UPDATE `end_user_counts` SET `sessions` = max(`sessions` - (OLD.`parent_session_id` IS NULL), 0), `stored_bytes` = max(`stored_bytes` - coalesce((SELECT `bytes` FROM `session_states` WHERE `session_id` = OLD.`id`), 0), 0)
    WHERE `tenant_id` = OLD.`tenant_id` AND `holder` = CASE WHEN OLD.`end_user_id` IS NULL THEN 's:' || coalesce(OLD.`root_session_id`, OLD.`id`) ELSE 'u:' || OLD.`end_user_id` END;
END;
--> statement-breakpoint
CREATE TRIGGER `session_states_held` AFTER INSERT ON `session_states` WHEN NEW.`bytes` <> 0 BEGIN
  UPDATE `end_user_counts` SET `stored_bytes` = `stored_bytes` + NEW.`bytes`
    WHERE `tenant_id` = NEW.`tenant_id` AND `holder` = (SELECT CASE WHEN `end_user_id` IS NULL THEN 's:' || coalesce(`root_session_id`, `id`) ELSE 'u:' || `end_user_id` END FROM `sessions` WHERE `id` = NEW.`session_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `session_states_reheld` AFTER UPDATE OF `bytes` ON `session_states` WHEN NEW.`bytes` <> OLD.`bytes` BEGIN
  UPDATE `end_user_counts` SET `stored_bytes` = max(`stored_bytes` + NEW.`bytes` - OLD.`bytes`, 0)
    WHERE `tenant_id` = NEW.`tenant_id` AND `holder` = (SELECT CASE WHEN `end_user_id` IS NULL THEN 's:' || coalesce(`root_session_id`, `id`) ELSE 'u:' || `end_user_id` END FROM `sessions` WHERE `id` = NEW.`session_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `session_states_unheld` AFTER DELETE ON `session_states` WHEN OLD.`bytes` <> 0 BEGIN
  UPDATE `end_user_counts` SET `stored_bytes` = max(`stored_bytes` - OLD.`bytes`, 0)
    WHERE `tenant_id` = OLD.`tenant_id` AND `holder` = (SELECT CASE WHEN `end_user_id` IS NULL THEN 's:' || coalesce(`root_session_id`, `id`) ELSE 'u:' || `end_user_id` END FROM `sessions` WHERE `id` = OLD.`session_id`);
END;
