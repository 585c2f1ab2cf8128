### Why an answer knows nothing of a file: the file was not read.

verdict = { $place }: a file was not read
not-shown = { $unread ->
    [only] The model was not shown the file;
   *[other] The model was not shown { $unread } of { $files } files;
}
kind-size = { $kind ->
    [unknown] unknown kind
   *[other] { $kind }
}, { $size ->
    [unknown] size unknown
   *[other] { $size } kB
}:
takes-no-pictures = the model takes no pictures
request = request as sent: what it says of the file
describe = Say in words what the picture shows: the model of this channel cannot see pictures.
send-smaller = Send it smaller, or in parts.
send-as-text = Send it as plain text or as a PNG, JPEG, GIF or WebP picture.
send-again = Send it again, with the question: links to files expire.
sees-images = If the model can see, set model.sees_images = true; otherwise name one that can.
raise = Raise attachments.{ $key }, if the model's window holds more.
raise-per-message = Raise attachments.per_message.
set-above-zero = Set attachments.text_kb and image_mb above 0.
see-log = The log has `attachment_not_fetched` with the platform's words.
