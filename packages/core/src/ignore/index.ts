export {
  createIgnoreMatcher,
  type IgnoreMatcher,
  ignoreRuleMaxBytes,
  ignoreRulesMax,
  ignoreRulesMaxBytes,
  readIgnoreText,
} from './ignore-rules.ts';
