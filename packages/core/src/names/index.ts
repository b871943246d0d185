export { archiveName, pathOfArchiveName } from './archive-name.ts';
export { foldedName } from './folded-name.ts';
export { hiddenFolderName, isHiddenName, isHiddenPath } from './hidden-names.ts';
export {
  diskKey,
  type LocalNameReading,
  localNameProblem,
  type NameProblem,
  readLocalName,
} from './local-name.ts';
export type { NameTraits } from './name-traits.ts';
export { isRepository, RepositoryHeads, repositoryLocationsOf } from './repository-names.ts';
