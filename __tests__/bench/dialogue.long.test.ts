import { dialogueOf, faultOf, requestText } from '../../bench/dialogue.js';

const right = (head: string, body: string): string => `HTTP/1.1 ${head}\r\nX: y\r\n\r\n${body}`;

describe('The bench asks', () => {
  it('as a client does', () => {
    expect(requestText(dialogueOf({ ask: '405', size: 3 }))).toBe(
      'DELETE /_api/endpoint HTTP/1.1\r\nHost: localhost:8529\r\nAccept: application/json\r\n\r\n',
    );
  });
});
describe('The bench takes an answer for right', () => {
  const dialogue = dialogueOf({ ask: 'cluster', size: 2 });
  const body =
    '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"},{"endpoint":"tcp://10.0.0.2:8529"}]}';
  const head = '200 OK\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: 110';

  it('when its status, type, length and body are', () => {
    expect(dialogue).toEqual({ method: 'GET', path: '/_api/cluster/endpoints', status: 200, body });
    expect(faultOf(right(head, body), dialogue)).toBeUndefined();
  });

  it.each([
    ['its status is not 200', right(head.replace('200 OK', '500 No'), body)],
    ['it is not JSON', right(head.replace('application/json', 'text/html'), body)],
    ['its length is not 110', right(head.replace('110', '109'), body)],
    ['its body is another one', right(head, body.replace('0.2', '0.3'))],
    ['its body is another one', right(head, body.slice(1))],
    ['its status is not 200', ''],
  ])('not when %s', (reason, answer) => {
    expect(faultOf(answer, dialogue)).toContain(reason);
  });
});
