/** What a disk does to the names it is given, as probed once in a folder. */
export interface NameTraits {
  /** Two names that differ only by case are one file. */
  readonly foldsCase: boolean;
  /** `kept`: NFC and NFD are two files. `folded`: they are one, spelled as it was made. `changed`: one, spelled NFD. */
  readonly unicodeForm: 'kept' | 'folded' | 'changed';
  /** `windows`: a name with `\ / : * ? " < > |`, with a dot or space at its end, or of a device cannot be made. */
  readonly forbids: 'nothing' | 'windows';
}
