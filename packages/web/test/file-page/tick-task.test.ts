import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locationOfTask } from '../../src/file-page/tick-task.ts';

const shown = '# Plan\n\n- [ ] one\n- [x] two\r\n- [ ] three';
const at = (text: string, box: string) => text.indexOf(box) + box.indexOf('[') + 1;

test('a task is where it is shown, in the text that is shown', () => {
  assert.equal(locationOfTask(shown, shown, at(shown, '- [x] two')), at(shown, '- [x] two'));
  assert.equal(locationOfTask(shown, shown, 3), null);
});

test('a task is found again by its line, when others changed the text around it', () => {
  const present = shown.replace('# Plan', '# A longer plan');
  for (const box of ['- [ ] one', '- [x] two', '- [ ] three']) {
    assert.equal(locationOfTask(shown, present, at(shown, box)), at(present, box), box);
  }
});

test('a task that is gone, changed or there twice is not guessed', () => {
  const location = at(shown, '- [ ] one');
  assert.equal(locationOfTask(shown, shown.replace('- [ ] one', '- [x] one'), location), null);
  assert.equal(locationOfTask(shown, `${shown}\n- [ ] one\n`, location), null);
  assert.equal(locationOfTask(shown, 'nothing', location), null);
});
