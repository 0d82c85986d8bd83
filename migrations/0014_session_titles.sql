-- What lists of sessions are searched by: a title or the first words, how the last reply has failed, and what the session has cost; and agents by
-- their names.
ALTER TABLE `session_states` ADD `first_words` text;--> statement-breakpoint
ALTER TABLE `session_states` ADD `failure` text;--> statement-breakpoint
ALTER TABLE `session_states` ADD `cost` integer;--> statement-breakpoint
CREATE INDEX `session_states_failed` ON `session_states` (`tenant_id`,`session_created_at`,`session_id`) WHERE "session_states"."failure" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `title` text;--> statement-breakpoint
CREATE INDEX `agent_versions_name` ON `agent_versions` (`tenant_id`,json_extract(`definition`, '$.name'),`agent_id`,`version`);
--> statement-breakpoint
DROP TRIGGER `sessions_counted`;
--> statement-breakpoint
DROP TRIGGER `sessions_uncounted`;
--> statement-breakpoint
DROP TRIGGER `sessions_resized`;
--> statement-breakpoint
DROP TRIGGER `session_states_counted`;
--> statement-breakpoint
DROP TRIGGER `session_states_uncounted`;
--> statement-breakpoint
-- A row without a title has as many bytes as before.
CREATE TRIGGER `sessions_counted` AFTER INSERT ON `sessions` BEGIN
  UPDATE `tenant_counts` SET `sessions` = `sessions` + 1, `database_bytes` = `database_bytes` + 400 + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`metadata` AS BLOB)), 0) + ifnull(length(CAST(NEW.`forked_from` AS BLOB)), 0) + ifnull(length(CAST(NEW.`title` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded sessions') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`sessions` > json_extract(`tenants`.`quotas`, '$.sessions');
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `sessions_uncounted` AFTER DELETE ON `sessions` BEGIN
  UPDATE `tenant_counts` SET `sessions` = max(`sessions` - 1, 0), `database_bytes` = max(`database_bytes` - (400 + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`metadata` AS BLOB)), 0) + ifnull(length(CAST(OLD.`forked_from` AS BLOB)), 0) + ifnull(length(CAST(OLD.`title` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `sessions_resized` AFTER UPDATE OF `metadata`, `title` ON `sessions` WHEN NEW.`metadata` IS NOT OLD.`metadata` OR NEW.`title` IS NOT OLD.`title` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` + (400 + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`metadata` AS BLOB)), 0) + ifnull(length(CAST(NEW.`forked_from` AS BLOB)), 0) + ifnull(length(CAST(NEW.`title` AS BLOB)), 0)) - (400 + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`metadata` AS BLOB)), 0) + ifnull(length(CAST(OLD.`forked_from` AS BLOB)), 0) + ifnull(length(CAST(OLD.`title` AS BLOB)), 0)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE 400 + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`metadata` AS BLOB)), 0) + ifnull(length(CAST(NEW.`forked_from` AS BLOB)), 0) + ifnull(length(CAST(NEW.`title` AS BLOB)), 0) > 400 + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0) + ifnull(length(CAST(OLD.`metadata` AS BLOB)), 0) + ifnull(length(CAST(OLD.`forked_from` AS BLOB)), 0) + ifnull(length(CAST(OLD.`title` AS BLOB)), 0) AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
-- The first words and the failure have a bound each, so that a row of states has one size, whatever is in it.
CREATE TRIGGER `session_states_counted` AFTER INSERT ON `session_states` BEGIN
  UPDATE `tenant_counts` SET `stored_bytes` = `stored_bytes` + NEW.`bytes`, `database_bytes` = `database_bytes` + 600 WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `session_states_uncounted` AFTER DELETE ON `session_states` BEGIN
  UPDATE `tenant_counts` SET `stored_bytes` = max(`stored_bytes` - OLD.`bytes`, 0), `database_bytes` = max(`database_bytes` - (600), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 400 * coalesce((SELECT `rows` FROM (SELECT `tenant_id`, count(*) AS `rows` FROM `session_states` GROUP BY `tenant_id`) AS `states` WHERE `states`.`tenant_id` = `tenant_counts`.`tenant_id`), 0);
